import {
  decodeMessage,
  InvalidMessageError,
  idempotencyKey,
  type Message,
  type Metadata,
  readMetadata,
} from "@sinkwire/message";
import { bytesOf } from "./bytes-of.js";
import { type IdentityField, MetadataMismatchError } from "./errors.js";
import { checkReadOptions, type ReadOptions } from "./read-options.js";

/** What a transport delivered: a message, a tombstone (its body is null), or bytes that are not to be handled. */
export type DeliveryRead =
  | { readonly kind: "message"; readonly message: Message; readonly metadata: Metadata; readonly bytes: Uint8Array }
  | { readonly kind: "tombstone"; readonly metadata: Metadata }
  | {
      readonly kind: "invalid";
      readonly error: InvalidMessageError | MetadataMismatchError;
      readonly metadata: Metadata;
      readonly bytes: Uint8Array;
    };

const IDENTITY: readonly (readonly [IdentityField, string])[] = [
  ["id", "ankusa_id"],
  ["source_id", "ankusa_source_id"],
  ["tenant_id", "ankusa_tenant_id"],
  ["idempotency_key", "ankusa_idempotency_key"],
];

/**
 * Reads a message and the metadata beside it.
 *
 * @param pairs - the metadata in any shape that `readMetadata` takes
 * @param body - as delivered: bytes, or text, which is read as UTF-8; null or undefined is a tombstone; anything else is
 *   `invalid_json`
 * @param options - `maxBytes` of the decode and whether metadata is verified; null is none
 * @returns the message, a tombstone, or why the body is invalid, always with the metadata and the original bytes: UTF-8
 *   of a text (U+FFFD for a lone surrogate), none of what is neither bytes nor text
 * @throws InvalidHookError (`max_bytes`, `metadata`, `options`) for an option that cannot be used, before the delivery is
 *   looked at; nothing else, whatever was delivered
 */
export function readDelivery(
  pairs: unknown,
  body: Uint8Array | string | null | undefined,
  options?: ReadOptions | null,
): DeliveryRead {
  checkReadOptions(options);
  const metadata = readMetadata(pairs);
  if (body === null || body === undefined) return { kind: "tombstone", metadata };
  const bytes = bytesOf(body);
  let message: Message;
  try {
    message = decodeMessage(body, options ?? {});
  } catch (error) {
    if (!(error instanceof InvalidMessageError)) throw error;
    return { kind: "invalid", error, metadata, bytes };
  }
  const error = (options?.metadata ?? "verify") === "verify" ? findMismatch(message, metadata) : null;
  return error === null ? { kind: "message", message, metadata, bytes } : { kind: "invalid", error, metadata, bytes };
}

function findMismatch(message: Message, metadata: Metadata): MetadataMismatchError | null {
  const conflicts = new Set(metadata.problems.filter(({ problem }) => problem === "conflict").map(({ name }) => name));
  for (const [field, name] of IDENTITY) {
    if (conflicts.has(name))
      return new MetadataMismatchError(field, `the metadata carries different values of ${name}`);
    const expected = field === "idempotency_key" ? idempotencyKey(message) : message[field];
    if (metadata[field] !== null && metadata[field] !== expected) {
      return new MetadataMismatchError(field, `the metadata's ${name} is not the message's`);
    }
  }
  return null;
}
