import type { DeliveryRead, ReadOptions } from "@sinkwire/delivery";
import { member, property, type RecordShape, readBody } from "@sinkwire/delivery/adapter";

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
 * @param options - those of `readDelivery`; null is none
 * @returns a message, a tombstone (`data` is there and null) or why the message is invalid; whatever was delivered, it does
 *   not throw
 * @throws InvalidHookError (`max_bytes`, `metadata`, `options`) for an option that cannot be used, before the message is
 *   looked at
 */
export function fromNats(message: DeliveredNatsMessage, options?: ReadOptions | null): DeliveryRead {
  return readBody(message, SHAPE, options);
}

const SHAPE: RecordShape = {
  pairs: (message) => {
    const headers = property(message, "headers");
    return isNatsHeaders(headers) ? Array.from(headers.keys(), (name) => [name, headers.values(name)]) : headers;
  },
  body: (message) => member(message, "data"),
};

/** Tells the client's headers from a record: a Map has the same two methods, but no values of a name. */
function isNatsHeaders(headers: unknown): headers is NatsHeaders {
  return (
    !(headers instanceof Map) &&
    typeof property(headers, "keys") === "function" &&
    typeof property(headers, "values") === "function"
  );
}
