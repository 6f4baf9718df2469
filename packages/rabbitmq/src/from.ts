import type { DeliveryRead, ReadOptions } from "@sinkwire/delivery";
import { property, readBody } from "@sinkwire/delivery/adapter";

/** A delivered message, as amqplib gives it. A client that parses JSON bodies loses their bytes and cannot be read. */
export interface DeliveredRabbitmqMessage {
  readonly content: Uint8Array;
  readonly properties?: { readonly headers?: Readonly<Record<string, unknown>> | undefined };
}

/**
 * Reads a delivered message.
 *
 * @param message - as the client gives it
 * @param options - those of `readDelivery`
 * @returns a message, a tombstone (no content) or why the bytes are invalid; whatever was delivered, it does not throw
 * @throws InvalidHookError for an option that cannot be used
 */
export function fromRabbitmq(message: DeliveredRabbitmqMessage, options?: ReadOptions): DeliveryRead {
  return readBody(property(property(message, "properties"), "headers"), property(message, "content"), options);
}
