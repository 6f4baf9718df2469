import type { DeliveryRead, ReadOptions } from "@sinkwire/delivery";
import { property, readBase64Body, readBody } from "@sinkwire/delivery/adapter";

/**
 * A received message: `data` is bytes, or base64 text as the REST API and function triggers give it.
 */
export interface ReceivedPubsubMessage {
  readonly data?: Uint8Array | string | null | undefined;
  readonly attributes?: Readonly<Record<string, string>> | null | undefined;
}

/** What a push subscription posts, parsed; also the `data` of a function's event. */
export interface PubsubPush {
  readonly message: ReceivedPubsubMessage;
}

/** How to read a message. */
export interface FromPubsubOptions extends ReadOptions {
  /** `"push"`: what was delivered is a push request's body, as {@link PubsubPush}. Default: it is the message itself. */
  readonly envelope?: "push" | undefined;
}

/**
 * Reads a received message.
 *
 * @param received - the message; with `envelope: "push"`, what holds it
 * @param options - `envelope`, and those of `readDelivery`
 * @returns a message, a tombstone (no data) or why the bytes are invalid; whatever was delivered, it does not throw
 * @throws InvalidHookError for an option that cannot be used
 */
export function fromPubsub(
  received: ReceivedPubsubMessage | PubsubPush,
  options: FromPubsubOptions = {},
): DeliveryRead {
  const message = options.envelope === "push" ? property(received, "message") : received;
  const data = property(message, "data");
  const read = typeof data === "string" ? readBase64Body : readBody;
  return read(property(message, "attributes"), data, options);
}
