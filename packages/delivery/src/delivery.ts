import type { DeliveryRead } from "./read-delivery.js";

/**
 * What a consumer hands to a handler: what was read, where it came from, and the three ways to end it. Exactly one of the
 * verbs takes effect; a later one does nothing.
 */
export type Delivery = DeliveryRead & DeliveryControls;

/** The part of a {@link Delivery} that the broker's client implements. */
export interface DeliveryControls {
  /** The broker's own key (partition, group, ordering key): two deliveries with one key are never in flight together. */
  readonly key: string | null;
  /** Which attempt this is, from 1; null where the broker does not count. */
  readonly attempt: number | null;
  /** Topic, subject, queue or stream that it came from. */
  readonly address: string;
  /** Aborted when the broker takes the delivery back, and on stop. */
  readonly signal: AbortSignal;
  /** Ends the delivery: it was handled. Resolves when the broker knows. */
  ack(): Promise<void>;
  /** Gives it back, to come again not before a time. */
  retry(options?: RetryOptions): Promise<void>;
  /** Ends it without success: to the dead letters, never back into the queue. */
  reject(reason: string): Promise<void>;
}

/** When a delivery may come again. */
export interface RetryOptions {
  /** Not before this many milliseconds from now. Default 1,000, doubling with the attempts to 30,000. */
  readonly afterMs?: number | undefined;
}

/** Handles one delivery: returning acknowledges it; a thrown error retries or rejects it by its `retryable`. */
export type DeliveryHandler = (delivery: Extract<Delivery, { readonly kind: "message" }>) => void | Promise<void>;
