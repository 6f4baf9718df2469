import type { DeliveryRead, ReadOptions } from "@sinkwire/delivery";
import { property, readBody } from "@sinkwire/delivery/adapter";

/** Headers as the client gives them: `MsgHdrs` of `@nats-io/nats-core`. */
export interface NatsHeaders {
  keys(): Iterable<string>;
  values(name: string): readonly string[];
}

/** A delivered message, as `@nats-io` gives it. */
export interface DeliveredNatsMessage {
  readonly data: Uint8Array;
  /** The client's headers, or an object of them (`MsgHdrs.toRecord()`). */
  readonly headers?: NatsHeaders | Readonly<Record<string, readonly string[]>> | undefined;
}

/**
 * Reads a delivered message.
 *
 * @param message - as the client gives it
 * @param options - those of `readDelivery`
 * @returns a message, a tombstone (no data) or why the bytes are invalid; whatever was delivered, it does not throw
 * @throws InvalidHookError for an option that cannot be used
 */
export function fromNats(message: DeliveredNatsMessage, options?: ReadOptions): DeliveryRead {
  const headers = property(message, "headers");
  const pairs = isNatsHeaders(headers) ? Array.from(headers.keys(), (name) => [name, headers.values(name)]) : headers;
  return readBody(pairs, property(message, "data"), options);
}

/** Tells the client's headers from a record: a Map has the same two methods, but no values of a name. */
function isNatsHeaders(headers: unknown): headers is NatsHeaders {
  return (
    !(headers instanceof Map) &&
    typeof property(headers, "keys") === "function" &&
    typeof property(headers, "values") === "function"
  );
}
