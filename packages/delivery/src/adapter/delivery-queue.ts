import type { Delivery } from "../delivery.js";

/** Deliveries that a client pushes, as the iteration that a consumer yields. */
export interface DeliveryQueue extends AsyncIterable<Delivery> {
  /** Adds one; after the iteration ended, it is given back. */
  push(delivery: Delivery): void;
  /** Ends the iteration; with an error, it throws that. */
  end(error?: unknown): void;
  /** How many are not yielded yet: the client's prefetch bounds it, or whoever pushes pauses by it. */
  readonly size: number;
}

/**
 * Makes a queue. What the broker took back is left out; when the iteration ends, in whatever way, what was not yielded is
 * given back in order.
 *
 * @param options - `signal` ends the iteration, without an error; `ended`, called once then, is the place to stop the
 *   client's pushing
 */
export function createDeliveryQueue(options: {
  readonly signal?: AbortSignal | undefined;
  readonly ended?: (() => void) | undefined;
}): DeliveryQueue {
  const waiting: Delivery[] = [];
  let isEnded = false;
  let failure: { readonly error: unknown } | null = null;
  let wake: (() => void) | null = null;

  const end = (error?: unknown): void => {
    if (isEnded) return;
    isEnded = true;
    if (error !== undefined) failure = { error };
    options.signal?.removeEventListener("abort", abort);
    for (const delivery of waiting.splice(0)) delivery.giveBack().catch(() => {});
    options.ended?.();
    wake?.();
  };
  const abort = (): void => end();
  if (options.signal?.aborted) end();
  else options.signal?.addEventListener("abort", abort);

  async function* iterate(): AsyncGenerator<Delivery, void> {
    try {
      while (!isEnded) {
        const next = waiting.shift();
        if (next === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        } else if (!next.signal.aborted) yield next;
      }
      if (failure !== null) throw failure.error;
    } finally {
      end();
    }
  }

  return {
    push(delivery) {
      if (isEnded) {
        delivery.giveBack().catch(() => {});
        return;
      }
      waiting.push(delivery);
      wake?.();
    },
    end,
    [Symbol.asyncIterator]: iterate,
    get size() {
      return waiting.length;
    },
  };
}
