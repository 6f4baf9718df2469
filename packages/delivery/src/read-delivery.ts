import {
  type DecodeOptions,
  decodeMessage,
  InvalidMessageError,
  idempotencyKey,
  type Message,
  type Metadata,
  readMetadata,
} from "@sinkwire/message";
import { type IdentityField, MetadataMismatchError } from "./errors.js";

/** How to read what a transport delivered. */
export interface ReadOptions extends DecodeOptions {
  /**
   * `"verify"` (default) refuses a message whose metadata names another hook, or two; `"ignore"` reads the message alone.
   */
  readonly metadata?: "verify" | "ignore" | null | undefined;
}

/** What a transport delivered: a message, a tombstone (no body at all), or bytes that are not to be handled. */
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
 * @param bytes - the body as delivered; null or undefined is a tombstone
 * @param options - `maxBytes` of the decode and whether metadata is verified
 * @returns the message, a tombstone, or why the bytes are invalid, always with the metadata and the original bytes
 * @throws InvalidHookError (`max_bytes`) for an option that cannot be used; nothing else, whatever was
 *   delivered
 */
export function readDelivery(
  pairs: unknown,
  bytes: Uint8Array | null | undefined,
  options?: ReadOptions,
): DeliveryRead {
  const metadata = readMetadata(pairs);
  if (bytes === null || bytes === undefined) return { kind: "tombstone", metadata };
  let message: Message;
  try {
    message = decodeMessage(bytes, options);
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
