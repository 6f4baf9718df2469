import { InvalidMessageError, readMetadata } from "@sinkwire/message";
import { bytesOf } from "../bytes-of.js";
import { type DeliveryRead, readDelivery } from "../read-delivery.js";
import { checkReadOptions, type ReadOptions } from "../read-options.js";

/** A body and the metadata beside it, both as a client gives them. */
export interface DeliveredParts {
  /** The metadata. */
  readonly pairs: unknown;
  /** Bytes or text of a message, null or undefined of a tombstone. */
  readonly body: unknown;
}

/** Where a client puts what a record is made of. Each function may throw, whatever it likes. */
export interface RecordShape {
  /** The metadata, as `readMetadata` takes it. When this throws, there is none. */
  readonly pairs: (record: unknown) => unknown;
  /** The body; null or undefined is a tombstone. When this throws, the record is invalid. */
  readonly body: (record: unknown) => unknown;
  /** Unwraps a body that is not null. When this throws, the record is invalid and keeps the body as it came. */
  readonly open?: ((parts: DeliveredParts) => DeliveredParts) | undefined;
}

/**
 * Reads a record of a client, whatever that is.
 *
 * @param record - as delivered
 * @param shape - where its parts are
 * @param options - as for `readDelivery`
 * @returns what was delivered; what is neither bytes nor text, or cannot be got at, is `invalid_json`, with the cause
 * @throws InvalidHookError for an option that cannot be used, before the record is looked at; nothing else
 */
export function readBody(record: unknown, shape: RecordShape, options?: ReadOptions | null): DeliveryRead {
  checkReadOptions(options);
  let parts: DeliveredParts = { pairs: pairsOf(record, shape), body: record };
  try {
    const body = shape.body(record);
    parts = { ...parts, body };
    if (body !== null && body !== undefined && shape.open !== undefined) parts = shape.open(parts);
  } catch (cause) {
    const error =
      cause instanceof InvalidMessageError
        ? cause
        : new InvalidMessageError("invalid_json", "what was delivered cannot be read", { cause });
    return { kind: "invalid", error, metadata: readMetadata(parts.pairs), bytes: bytesOf(parts.body) };
  }
  return readDelivery(parts.pairs, parts.body as Uint8Array, options);
}

/**
 * The bytes of a body that came as base64 text.
 *
 * @param text - standard, padded base64
 * @throws InvalidMessageError (`invalid_json`) for anything else
 */
export function base64Bytes(text: unknown): Uint8Array {
  const bytes = typeof text === "string" ? Buffer.from(text, "base64") : null;
  if (bytes !== null && bytes.toString("base64") === text) return bytes;
  throw new InvalidMessageError("invalid_json", "the body is not canonical base64 text");
}

/** Reads a property of what a client delivered, whatever that is; absent is undefined. */
export function property(raw: unknown, name: string): unknown {
  return typeof raw === "object" && raw !== null ? (raw as Readonly<Record<string, unknown>>)[name] : undefined;
}

/**
 * Reads a member that a record has to have, since one without it is no record: only a member that is there and null is a
 * tombstone, which is acknowledged and gone.
 *
 * @param raw - what a client delivered, whatever that is
 * @param names - the names that the member goes by; the first that is not null counts
 * @returns its value, null when it is null or undefined
 * @throws InvalidMessageError (`invalid_json`), which says what is missing, when none of the names is there
 */
export function member(raw: unknown, ...names: readonly string[]): unknown {
  const there = typeof raw === "object" && raw !== null ? names.filter((name) => name in raw) : [];
  if (there.length === 0) throw missing(names.map((name) => `"${name}"`).join(" or "));
  return there.map((name) => property(raw, name)).find((value) => value !== null && value !== undefined) ?? null;
}

/**
 * Says that a record is none, for want of something.
 *
 * @param what - what it has to have, in words
 */
export function missing(what: string): InvalidMessageError {
  return new InvalidMessageError("invalid_json", `what was delivered is no record: it has no ${what}`);
}

function pairsOf(record: unknown, { pairs }: RecordShape): unknown {
  try {
    return pairs(record);
  } catch {
    return null;
  }
}
