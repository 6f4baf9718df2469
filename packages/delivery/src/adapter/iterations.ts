import type { DeliveriesOptions } from "../consumer.js";
import { createDeliveryQueue, type DeliveryQueue } from "./delivery-queue.js";

/** One iteration over a consumer's deliveries. */
export interface Iteration {
  /** Takes what is received. */
  readonly queue: DeliveryQueue;
  /** Aborts when the iteration ends, in whatever way. */
  readonly ended: AbortSignal;
  /** Resolves when its reading has: nothing more is received then. */
  stopped(): Promise<void>;
}

/** The iterations of one consumer, of which one runs at a time. */
export interface Iterations {
  /**
   * Starts one.
   *
   * @param options - those of `deliveries`
   * @param read - receives until `ended` aborts; its promise never rejects
   */
  start(options: DeliveriesOptions | undefined, read: (iteration: Iteration) => Promise<void>): DeliveryQueue;
  /** Ends the iteration. Resolves when its reading has. */
  stop(): Promise<void>;
}

/** Makes what stands behind `deliveries` and `close` of a consumer. */
export function createIterations(): Iterations {
  let closing = new AbortController();
  let running: Promise<void> = Promise.resolve();
  return {
    start({ signal } = {}, read) {
      const ended = new AbortController();
      closing = new AbortController();
      const stop = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
      const queue = createDeliveryQueue({ signal: stop, ended: () => ended.abort() });
      const reading = read({ queue, ended: ended.signal, stopped: () => reading });
      running = reading;
      return queue;
    },
    async stop() {
      closing.abort();
      await running;
    },
  };
}
