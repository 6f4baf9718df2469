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
   * @param message - an encoded message, or a decoded one (a bridge, a redrive)
   * @param options - `signal` stops the wait; whether the broker takes the message is unknown then
   * @returns the receipt, only when the broker has taken the message
   * @throws PublishError when it has not, or when nobody can tell
   */
  publish(message: EncodedMessage | Message, options?: { readonly signal?: AbortSignal | undefined }): Promise<Receipt>;
}

/** `not_published`: the broker certainly did not take it. `unknown`: it may have, so a retry may duplicate. */
export type PublishOutcome = "not_published" | "unknown";
