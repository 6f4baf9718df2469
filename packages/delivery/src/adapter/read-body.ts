import { InvalidMessageError, readMetadata } from "@sinkwire/message";
import { type DeliveryRead, type ReadOptions, readDelivery } from "../read-delivery.js";

/**
 * Reads a delivery whose body a client may have given in any shape.
 *
 * @param pairs - the metadata, as `readMetadata` takes it
 * @param body - bytes or text; null or undefined is a tombstone; anything else is `invalid_json`, since the bytes are lost
 * @param options - as for `readDelivery`
 * @returns what was delivered
 * @throws InvalidHookError for an option that cannot be used; nothing else, whatever was delivered
 */
export function readBody(pairs: unknown, body: unknown, options?: ReadOptions): DeliveryRead {
  if (body === null || body === undefined) return readDelivery(pairs, null, options);
  if (typeof body === "string" && body.isWellFormed()) return readDelivery(pairs, Buffer.from(body), options);
  if (isBytes(body)) return readDelivery(pairs, body, options);
  return unreadable(
    pairs,
    "the body is neither bytes nor well-formed text: a client that parses bodies loses their bytes",
  );
}

/**
 * As {@link readBody}, for a body that came as base64 text.
 *
 * @param pairs - the metadata
 * @param base64 - standard, padded base64; null or undefined is a tombstone
 * @param options - as for `readDelivery`
 */
export function readBase64Body(pairs: unknown, base64: unknown, options?: ReadOptions): DeliveryRead {
  if (base64 === null || base64 === undefined) return readDelivery(pairs, null, options);
  const bytes = typeof base64 === "string" ? Buffer.from(base64, "base64") : null;
  if (bytes !== null && bytes.toString("base64") === base64) return readDelivery(pairs, bytes, options);
  return unreadable(pairs, "the body is not canonical base64 text");
}

/** Reads a property of what a client delivered, whatever that is; absent is undefined. */
export function property(raw: unknown, name: string): unknown {
  return typeof raw === "object" && raw !== null ? (raw as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** Whether a value is bytes, also of another realm. */
function isBytes(value: unknown): value is Uint8Array {
  return Object.prototype.toString.call(value) === "[object Uint8Array]";
}

function unreadable(pairs: unknown, reason: string): DeliveryRead {
  const error = new InvalidMessageError("invalid_json", reason);
  return { kind: "invalid", error, metadata: readMetadata(pairs), bytes: new Uint8Array() };
}
