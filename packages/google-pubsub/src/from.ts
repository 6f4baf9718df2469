import type { DeliveryRead, ReadOptions } from "@sinkwire/delivery";
import { base64Bytes, choiceOption, member, property, readBody } from "@sinkwire/delivery/adapter";

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
  readonly envelope?: "push" | null | undefined;
}

/**
 * Reads a received message.
 *
 * @param received - the message; with `envelope: "push"`, what holds it
 * @param options - `envelope`, and those of `readDelivery`; null is none
 * @returns a message, a tombstone (`data` is there and null) or why the message is invalid; whatever was delivered, it does
 *   not throw
 * @throws InvalidHookError (`envelope`, `max_bytes`, `metadata`, `options`) for an option that cannot be used, before the
 *   message is looked at
 */
export function fromPubsub(
  received: ReceivedPubsubMessage | PubsubPush,
  options?: FromPubsubOptions | null,
): DeliveryRead {
  const isPush = choiceOption(options?.envelope, "envelope", ["push"]) !== null;
  const message = (): unknown => (isPush ? member(received, "message") : received);
  return readBody(
    received,
    {
      pairs: () => property(message(), "attributes"),
      body: () => member(message(), "data"),
      open: ({ pairs, body }) => ({ pairs, body: typeof body === "string" ? base64Bytes(body) : body }),
    },
    options,
  );
}
