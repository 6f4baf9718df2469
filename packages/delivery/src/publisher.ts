import type { EncodedMessage, Message } from "@sinkwire/message";

/** What a broker answered to a publish that it took. */
export interface Receipt {
  /** Topic, subject, queue or stream. */
  readonly address: string;
  /** The broker's own id of the record, such as partition and offset, sequence or message id. */
  readonly id: string;
  /** True when the broker had it already and stored nothing new. */
  readonly duplicate: boolean;
}

/** Publishes messages over one transport. */
export interface Publisher {
  /**
   * Publishes one message. While 256 messages or 16 MiB are unconfirmed, it waits before it writes.
   *
   * @param message - an encoded message, or a decoded one (a bridge, a redrive)
   * @param options - `signal` stops the wait
   * @returns the receipt, only when the broker has taken the message
   * @throws PublishError when it has not, or when nobody can tell: its `outcome` says which, also after an abort
   */
  publish(message: EncodedMessage | Message, options?: PublishOptions): Promise<Receipt>;
  /** Waits for what is unconfirmed and closes what the publisher opened itself; a client that was handed in stays open. */
  close(): Promise<void>;
}

/** How to publish one message. */
export interface PublishOptions {
  /** Stops the wait for the broker's answer. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * What is known of a message whose publish failed.
 *
 * - `not_published`: the broker certainly did not take it. Nothing was written, or the broker answered that it refuses
 *   (too large, no such queue, nacked, returned as unroutable).
 * - `unknown`: it was written and no answer came (a timeout, an abort, a connection or a channel closed after the write).
 *   The broker may have it, so publishing again may make two.
 */
export type PublishOutcome = "not_published" | "unknown";
