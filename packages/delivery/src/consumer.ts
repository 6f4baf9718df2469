import type { Delivery } from "./delivery.js";

/**
 * Reads deliveries over one transport: what an adapter implements. Handle them with `serve`, or in a loop of one's own:
 * `for await (const delivery of consumer.deliveries({ signal }))`. Settle every delivery with a verb, also one whose
 * signal aborted: it frees its key.
 *
 * What an adapter promises:
 * - A delivery is not yielded while an earlier one of its key is unsettled. When one comes again, those of its key that
 *   were received after it are given back unhandled, so that the key's order is kept.
 * - It holds no more than its prefetch beside what it yielded.
 * - A lease is extended from the receipt of a delivery until one of its verbs settles.
 * - When the iteration ends, by its signal or by leaving the loop, what was not yielded is given back, and what is held for
 *   a later retry is given back at once. The verbs of what was yielded still work, until `close`.
 * - A connection that is lost and comes back goes unnoticed but for the aborted signals of what the broker took back; the
 *   iteration throws only when the consumer cannot go on.
 */
export interface Consumer {
  /**
   * Starts reading. One iteration at a time.
   *
   * @param options - `signal` ends the iteration, without an error
   * @returns deliveries until the signal aborts
   * @throws SinkwireError or the client's own error, from the iteration, when the consumer cannot go on
   */
  deliveries(options?: DeliveriesOptions): AsyncIterable<Delivery>;
  /** Gives back what is not settled and closes what the consumer opened itself; a client that was handed in stays open. */
  close(): Promise<void>;
}

/** How to read deliveries. */
export interface DeliveriesOptions {
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined;
}
