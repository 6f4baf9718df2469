import { decodeCanonicalBase64 } from "./base64.js";
import { checkClaim, checkInline } from "./body.js";
import { inOwnMemory, isBytes, unshared } from "./bytes.js";
import { tryParseClaimRef } from "./claim-ref.js";
import { DecodedMessage } from "./decoded-message.js";
import { type DecodeErrorCode, InvalidHookError, InvalidMessageError } from "./errors.js";
import { Failure, invalidField, invalidJson } from "./failure.js";
import { type CommonFields, isInteger, readFields } from "./fields.js";
import { ownFields } from "./own.js";
import { utf8Length, utf8ToText } from "./runtime/node.js";
import { parseStrictJson } from "./strict-json.js";
import type { Message } from "./types.js";

/** Default of {@link DecodeOptions.maxBytes}: 64 MiB. */
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

const SCHEMA_REGISTRY =
  "first byte 0x00: a schema-registry framing (magic byte and schema id) that the producer should not add?";

/** How to decode. */
export interface DecodeOptions {
  /** Largest input, in bytes of UTF-8. Default 64 MiB. */
  readonly maxBytes?: number | null | undefined;
}

/** Why {@link tryDecodeMessage} refused: what {@link InvalidMessageError} says, without the cost of an error object. */
export interface DecodeFailure {
  /** `invalid_hook` only when an option cannot be used. */
  readonly code: DecodeErrorCode | "invalid_hook";
  /** The top-level field, for `invalid_field` and `invalid_hook`. */
  readonly field: string | null;
  readonly retryable: false;
  /** The reason in words; it never quotes the input. */
  readonly message: string;
}

/** A message, or why there is none. */
export type DecodeResult =
  | { readonly ok: true; readonly message: Message }
  | { readonly ok: false; readonly error: DecodeFailure };

/**
 * Decodes the bytes of a sink message, as any queue delivers them.
 *
 * @param input - the bytes (a Buffer is fine), or well-formed text
 * @param options - `maxBytes`, the largest input
 * @returns the message; an inline body is a copy that shares no memory with the input
 * @throws {@link InvalidMessageError}, permanent, for whatever is not a message, and nothing else whatever the bytes;
 *   {@link InvalidHookError} (`max_bytes`) for an option that is not an integer of at least 0
 */
export function decodeMessage(input: Uint8Array | string, options?: DecodeOptions): Message {
  const decoded = decode(input, options);
  if (!(decoded instanceof Failure)) return decoded;
  const { code, field, message } = decoded;
  if (code === "invalid_hook") throw new InvalidHookError("max_bytes", message);
  throw new InvalidMessageError(code, message, { field });
}

/**
 * As {@link decodeMessage}, with a result instead of an error: refusing costs no stack trace.
 *
 * @param input - the bytes, or well-formed text
 * @param options - `maxBytes`, the largest input
 * @returns the message or the failure; never throws
 */
export function tryDecodeMessage(input: Uint8Array | string, options?: DecodeOptions): DecodeResult {
  const decoded = decode(input, options);
  return decoded instanceof Failure ? { ok: false, error: decoded } : { ok: true, message: decoded };
}

function decode(input: unknown, options: DecodeOptions | undefined): Message | Failure | Failure<"invalid_hook"> {
  const maxBytes = options?.maxBytes ?? DEFAULT_MAX_BYTES;
  if (!isInteger(maxBytes) || maxBytes < 0) {
    return new Failure("invalid_hook", "max_bytes", "expected an integer of at least 0");
  }
  const text = readText(input, maxBytes);
  if (text instanceof Failure) return text;
  const value = parseStrictJson(text);
  return value instanceof Failure ? value : readMessage(value);
}

/** Strict text of at most `maxBytes`. */
function readText(input: unknown, maxBytes: number): string | Failure {
  if (typeof input === "string") {
    if (input.length > maxBytes) return tooLong(maxBytes);
    if (!input.isWellFormed()) return invalidJson("the text holds a lone surrogate");
    return input.length * 3 > maxBytes && utf8Length(input) > maxBytes ? tooLong(maxBytes) : input;
  }
  if (!isBytes(input)) return invalidJson("neither bytes (Uint8Array) nor text");
  try {
    if (input.length > maxBytes) return tooLong(maxBytes);
    if (input[0] === 0) return invalidJson(SCHEMA_REGISTRY);
    return utf8ToText(unshared(input)) ?? invalidJson("not UTF-8");
  } catch {
    return invalidJson("more bytes than one string of this runtime holds");
  }
}

function tooLong(maxBytes: number): Failure {
  return invalidJson(`longer than ${maxBytes} bytes`);
}

function readMessage(value: unknown): Message | Failure {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return new Failure("not_an_object", null, "a JSON text, but not an object");
  }
  const named = ownFields(value);
  const fields = readFields(named);
  if (fields instanceof Failure) return fields;

  const base64 = named["body_base64"] ?? null;
  const claim = named["claim"] ?? null;
  if (base64 !== null && claim !== null) {
    return new Failure("ambiguous_body", null, "both body_base64 and claim are there");
  }
  return claim === null ? readInline(fields, base64) : readClaim(fields, claim);
}

function readInline(fields: CommonFields, base64: unknown): Message | Failure {
  if (base64 === null) return new Failure("missing_body", null, "neither body_base64 nor claim is there");
  const bytes = typeof base64 === "string" ? decodeCanonicalBase64(base64) : null;
  if (bytes === null) return new Failure("invalid_body_base64", null, "body_base64 is not canonical, padded base64");
  return checkInline(fields, bytes) ?? new DecodedMessage(fields, { form: "inline", bytes: inOwnMemory(bytes) });
}

function readClaim(fields: CommonFields, claim: unknown): Message | Failure {
  if (typeof claim !== "string" || tryParseClaimRef(claim) === null) {
    return invalidField("claim", "a claim reference of version 1 or 2");
  }
  return checkClaim(fields, claim) ?? new DecodedMessage(fields, { form: "claim", ref: claim });
}
