import type { Delivery } from "./delivery.js";

/**
 * Reads deliveries over one transport: what an adapter implements. Handle them with `serve`, or in a loop of one's own:
 * `for await (const delivery of consumer.deliveries({ signal }))`.
 *
 * What an adapter promises:
 * - It asks the broker for no more than its prefetch, and for nothing new while nobody asks for the next delivery.
 * - Deliveries of one key come in the broker's order. What is yielded after the promise of a `retry` or a `giveBack`
 *   resolved comes after it in that order.
 * - A lease is extended from the receipt of a delivery until one of its verbs settles.
 * - When the iteration ends, by its signal or by leaving the loop, what was received and not yet yielded is given back,
 *   and so is what is held for a later retry. The verbs of what was yielded still work, until `close`.
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
