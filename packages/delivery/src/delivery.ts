import type { DeliveryRead } from "./read-delivery.js";

/**
 * What a consumer hands to a handler: what was read, where it came from, and the ways to end it. Exactly one of the verbs
 * takes effect, the first; a later one settles as the first did and does nothing else. After the broker took the delivery
 * back, none does anything.
 */
export type Delivery = DeliveryRead & DeliveryControls;

/** A delivery of a message: what a handler gets. */
export type MessageDelivery = Extract<Delivery, { readonly kind: "message" }>;

/** A delivery without a body, such as Kafka's null value. */
export type TombstoneDelivery = Extract<Delivery, { readonly kind: "tombstone" }>;

/** A delivery that is not to be handled. It has no way back into the queue, where it would come again for ever. */
export type InvalidDelivery = Omit<Extract<Delivery, { readonly kind: "invalid" }>, "retry" | "giveBack">;

/** One name and value of the metadata as it was delivered; bytes where the broker carries bytes. */
export type MetadataPair = readonly [name: string, value: string | Uint8Array];

/** Where a delivery came from. */
export interface DeliveryOrigin {
  /**
   * The broker's own key (partition, group, ordering key): two deliveries with one key are never in flight together. Null
   * where order means nothing.
   */
  readonly key: string | null;
  /** Which attempt this is, from 1; null where the broker does not count. */
  readonly attempt: number | null;
  /** Topic, subject, queue or stream that it came from. */
  readonly address: string;
  /** All metadata as delivered, foreign names included, in order: what a dead letter keeps. */
  readonly pairs: readonly MetadataPair[];
  /** Aborted when the broker takes the delivery back, and when it is given back, as a stop without time left does. */
  readonly signal: AbortSignal;
}

/** The part of a {@link Delivery} that a consumer adds to what was read. */
export interface DeliveryControls extends DeliveryOrigin {
  /** Ends the delivery: it was handled. Resolves when the broker knows. */
  ack(): Promise<void>;
  /** Gives it back, to come again not before a time. Where the broker has no delay, resolves when the time has passed. */
  retry(options?: RetryOptions): Promise<void>;
  /**
   * Ends it without success: to the dead letters, never back into the queue.
   *
   * @param reason - why, in words for whoever reads the dead letters
   */
  reject(reason: string, options?: RejectOptions): Promise<void>;
  /**
   * Gives it back unhandled, to come again at once. No attempt is spent, except where the broker itself counts what it
   * hands out.
   */
  giveBack(): Promise<void>;
}

/** When a delivery may come again. */
export interface RetryOptions {
  /** Not before this many milliseconds from now. Default: `retryBackoff` of the attempt. */
  readonly afterMs?: number | undefined;
}

/** What a dead letter says beside its reason. */
export interface RejectOptions {
  /** Why, for programs: an error's code. Default: the code of an invalid read, else none. */
  readonly code?: string | null | undefined;
}

/** Handles one delivery: returning acknowledges it; a thrown error retries or rejects it by its `retryable`. */
export type DeliveryHandler = (delivery: MessageDelivery) => void | Promise<void>;
