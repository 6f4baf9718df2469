import { MAX_TIMER_MS } from "./options.js";

/** Deliveries that wait in their slots, where the broker has no delay. */
export interface Holds {
  /**
   * Waits.
   *
   * @param ms - how long, in milliseconds
   * @param options - `signal` ends the wait early, without an error: look at it to see which it was
   */
  hold(ms: number, options: { readonly signal: AbortSignal }): Promise<void>;
  /** How many wait. */
  readonly size: number;
}

interface Held {
  readonly until: number;
  readonly end: () => void;
}

/** Makes holds with one timer between them, set to the earliest. The clock is monotonic. */
export function createHolds(): Holds {
  /** By `until`, latest first: the earliest is the last. */
  const held: Held[] = [];
  let timer: NodeJS.Timeout | undefined;

  const schedule = (): void => {
    clearTimeout(timer);
    const earliest = held.at(-1);
    if (earliest === undefined) return;
    timer = setTimeout(endDue, Math.min(Math.max(Math.ceil(earliest.until - performance.now()), 0), MAX_TIMER_MS));
  };
  const endDue = (): void => {
    const now = performance.now();
    for (let last = held.at(-1); last !== undefined && last.until <= now; last = held.at(-1)) {
      held.pop();
      last.end();
    }
    schedule();
  };

  return {
    hold(ms, { signal }) {
      if (signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const entry: Held = {
          until: performance.now() + ms,
          end: () => {
            signal.removeEventListener("abort", cut);
            resolve();
          },
        };
        const cut = (): void => {
          held.splice(held.indexOf(entry), 1);
          entry.end();
          schedule();
        };
        signal.addEventListener("abort", cut);
        held.splice(placeOf(held, entry.until), 0, entry);
        if (held.at(-1) === entry) schedule();
      });
    },
    get size() {
      return held.length;
    },
  };
}

/** Where a time goes in a list that has the latest first; among equals the earlier comer stays nearer to the end. */
function placeOf(held: readonly Held[], until: number): number {
  let low = 0;
  let high = held.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((held[middle] as Held).until > until) low = middle + 1;
    else high = middle;
  }
  return low;
}
