import type { DeliveryRead, ReadOptions } from "@sinkwire/delivery";
import { member, property, type RecordShape, readBody } from "@sinkwire/delivery/adapter";

/** A delivered message, as amqplib gives it. A client that parses JSON bodies loses their bytes and cannot be read. */
export interface DeliveredRabbitmqMessage {
  readonly content: Uint8Array;
  readonly properties?: { readonly headers?: Readonly<Record<string, unknown>> | undefined };
}

/**
 * Reads a delivered message.
 *
 * @param message - as the client gives it
 * @param options - those of `readDelivery`; null is none
 * @returns a message, a tombstone (`content` is there and null) or why the message is invalid; whatever was delivered, it
 *   does not throw
 * @throws InvalidHookError (`max_bytes`, `metadata`, `options`) for an option that cannot be used, before the message is
 *   looked at
 */
export function fromRabbitmq(message: DeliveredRabbitmqMessage, options?: ReadOptions | null): DeliveryRead {
  return readBody(message, SHAPE, options);
}

const SHAPE: RecordShape = {
  pairs: (message) => property(property(message, "properties"), "headers"),
  body: (message) => member(message, "content"),
};
