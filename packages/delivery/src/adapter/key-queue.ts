/** Items in order of arrival, of which one of each key runs at a time. */
export interface KeyQueue<T> {
  /**
   * Takes an item in.
   *
   * @param key - its key; items without one never wait
   * @returns true when it runs now; false when it waits for an earlier one of its key
   */
  enter(key: string | null, item: T): boolean;
  /**
   * Ends what runs under a key.
   *
   * @returns the next of that key, which runs from now on; undefined when none waits
   */
  leave(key: string | null): T | undefined;
  /** Takes out all that wait under a key, in order. What runs goes on. */
  takeWaiting(key: string | null): T[];
  /** Takes out all that wait. */
  takeAllWaiting(): T[];
  /** How many wait. */
  readonly waiting: number;
}

/** Makes a key queue. Its memory is in proportion to what runs and waits. */
export function createKeyQueue<T>(): KeyQueue<T> {
  /** What waits, for every key under which something runs. */
  const behind = new Map<string, T[]>();
  let waiting = 0;
  const takeWaiting = (key: string | null): T[] => {
    const items = key === null ? [] : (behind.get(key)?.splice(0) ?? []);
    waiting -= items.length;
    return items;
  };
  return {
    enter(key, item) {
      if (key === null) return true;
      const items = behind.get(key);
      if (items === undefined) {
        behind.set(key, []);
        return true;
      }
      items.push(item);
      waiting++;
      return false;
    },
    leave(key) {
      if (key === null) return undefined;
      const next = behind.get(key)?.shift();
      if (next === undefined) behind.delete(key);
      else waiting--;
      return next;
    },
    takeWaiting,
    takeAllWaiting: () => [...behind.keys()].flatMap(takeWaiting),
    get waiting() {
      return waiting;
    },
  };
}
