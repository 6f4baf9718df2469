/** Items in order of arrival, of which one of each key is in flight at a time. */
export interface KeyQueue<T> {
  /**
   * Takes an item in.
   *
   * @param key - its key; items without one never wait
   * @returns true when it is in flight from now on; false when it waits for an earlier one of its key
   */
  enter(key: string | null, item: T): boolean;
  /**
   * Ends the flight of an item, unless it is not in flight.
   *
   * @returns the next of its key, which is in flight from now on; undefined when none waits
   */
  leave(key: string | null, item: T): T | undefined;
  /** Whether an item is the one of its key that is in flight. */
  isInFlight(key: string | null, item: T): boolean;
  /** Takes out all that wait under a key, in order. */
  takeWaiting(key: string | null): T[];
  /** How many wait. */
  readonly waiting: number;
}

/** What is in flight under a key, and what waits behind it. */
interface Line<T> {
  head: T;
  readonly behind: T[];
}

/** Makes a key queue. Its memory is in proportion to what is in flight and waits. */
export function createKeyQueue<T>(): KeyQueue<T> {
  const lines = new Map<string, Line<T>>();
  let waiting = 0;
  const lineOf = (key: string | null): Line<T> | undefined => (key === null ? undefined : lines.get(key));
  return {
    enter(key, item) {
      if (key === null) return true;
      const line = lines.get(key);
      if (line === undefined) {
        lines.set(key, { head: item, behind: [] });
        return true;
      }
      line.behind.push(item);
      waiting++;
      return false;
    },
    leave(key, item) {
      const line = lineOf(key);
      if (key === null || line?.head !== item) return undefined;
      const next = line.behind.shift();
      if (next === undefined) {
        lines.delete(key);
      } else {
        line.head = next;
        waiting--;
      }
      return next;
    },
    isInFlight: (key, item) => lineOf(key)?.head === item,
    takeWaiting(key) {
      const items = lineOf(key)?.behind.splice(0) ?? [];
      waiting -= items.length;
      return items;
    },
    get waiting() {
      return waiting;
    },
  };
}
