import type { Delivery, DeliveryOrigin } from "../delivery.js";
import type { DeliveryRead } from "../read-delivery.js";
import { type BrokerVerbs, createDelivery } from "./create-delivery.js";
import { createKeyQueue } from "./key-queue.js";

/** What a client received, as the iteration that a consumer yields. */
export interface DeliveryQueue extends AsyncIterable<Delivery> {
  /**
   * Makes a delivery as `createDelivery` does and adds it, in the broker's order. After the queue ended, it is given back.
   *
   * What comes again may be pushed only after the promise of the verb that gave it back has resolved.
   */
  push(read: DeliveryRead, origin: DeliveryOrigin, broker: BrokerVerbs): void;
  /** Ends the iteration; with an error, it throws that. */
  end(error?: unknown): void;
  /** Waits until fewer deliveries than so many are not yielded yet, or the queue ended: the place to ask for more. */
  below(count: number): Promise<void>;
  /** How many are not yielded yet. */
  readonly size: number;
}

/** How a queue ends. */
export interface DeliveryQueueOptions {
  /** Ends the iteration, without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Called once when the iteration ended, in whatever way: the place to stop the client's pushing. */
  readonly ended?: (() => void) | undefined;
}

/** A delivery, and the signal that aborts when the broker takes it back. */
interface Item {
  readonly delivery: Delivery;
  readonly taken: AbortSignal;
}

/**
 * Makes a queue that keeps the order of keys:
 *
 * - A delivery is yielded when no earlier one of its key is in flight, which is until a verb of that one settled.
 * - When one comes again (retried, given back, rejected where the broker hands it out again, a verb that failed), those of
 *   its key that were pushed after it are given back too, right after it and in order.
 * - When the iteration ends, what was not yielded is given back, behind what is in flight.
 * - What the broker took back before it was yielded is left out.
 */
export function createDeliveryQueue({ signal, ended }: DeliveryQueueOptions = {}): DeliveryQueue {
  const ready = new Set<Item>();
  const keys = createKeyQueue<Item>();
  let isEnded = false;
  let failure: { readonly error: unknown } | null = null;
  const waiters = new Set<() => void>();

  const size = (): number => ready.size + keys.waiting;
  const wake = (): void => {
    for (const waiter of waiters) waiter();
    waiters.clear();
  };
  const change = (): Promise<void> =>
    new Promise((resolve) => {
      waiters.add(resolve);
    });
  const makeReady = (item: Item): void => {
    ready.add(item);
    if (isEnded) skip(item);
    else wake();
  };
  /** Gives back what holds its key and was not yielded; its key is freed as after any other verb. */
  const skip = (item: Item): void => {
    ready.delete(item);
    item.delivery.giveBack().catch(() => {});
  };
  const leave = async (item: Item, comesAgain: boolean): Promise<void> => {
    const { key } = item.delivery;
    if (!keys.isInFlight(key, item)) return;
    if (comesAgain || isEnded) {
      await Promise.allSettled(keys.takeWaiting(key).map((later) => later.delivery.giveBack()));
    }
    const next = keys.leave(key, item);
    if (next !== undefined) makeReady(next);
    wake();
  };
  const end = (error?: unknown): void => {
    if (isEnded) return;
    isEnded = true;
    if (error !== undefined) failure = { error };
    signal?.removeEventListener("abort", abort);
    for (const item of ready) skip(item);
    ended?.();
    wake();
  };
  const abort = (): void => end();
  if (signal?.aborted) end();
  else signal?.addEventListener("abort", abort);

  async function* iterate(): AsyncGenerator<Delivery, void> {
    try {
      while (!isEnded) {
        const [next] = ready;
        if (next === undefined) {
          await change();
        } else if (next.taken.aborted) {
          skip(next);
        } else {
          ready.delete(next);
          wake();
          yield next.delivery;
        }
      }
      if (failure !== null) throw failure.error;
    } finally {
      end();
    }
  }

  return {
    push(read, origin, broker) {
      const delivery = createDelivery(read, origin, {
        ack: () => broker.ack(),
        retry: (afterMs) => broker.retry(afterMs),
        reject: (reason, options) => broker.reject(reason, options),
        giveBack: () => broker.giveBack(),
        isRejectedAgain: broker.isRejectedAgain === true,
        settled: (comesAgain) => {
          broker.settled?.(comesAgain);
          void leave(item, comesAgain);
        },
      });
      const item: Item = { delivery, taken: origin.signal };
      if (keys.enter(origin.key, item)) makeReady(item);
    },
    end,
    async below(count) {
      while (!isEnded && size() >= count) await change();
    },
    [Symbol.asyncIterator]: iterate,
    get size() {
      return size();
    },
  };
}
