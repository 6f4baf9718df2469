import { decodeCanonicalBase64 } from "./base64.js";
import { checkBody } from "./body.js";
import { isBytes, unshared } from "./bytes.js";
import { tryParseClaimRef } from "./claim-ref.js";
import { DecodedMessage } from "./decoded-message.js";
import { type DecodeErrorCode, InvalidHookError, InvalidMessageError } from "./errors.js";
import { type Failure, invalidField, isFailure, isInteger, readFields } from "./fields.js";
import { ownFields } from "./own.js";
import { utf8Length, utf8ToText } from "./runtime/node.js";
import { parseStrictJson } from "./strict-json.js";
import type { Message, MessageBody } from "./types.js";

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
  if (!isFailure(decoded)) return decoded;
  const { code, field, message } = decoded;
  if (code === "invalid_hook") throw new InvalidHookError(field, message);
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
  if (!isFailure(decoded)) return { ok: true, message: decoded };
  const { code, field, message } = decoded;
  return { ok: false, error: { code, field, retryable: false, message } };
}

/** An option that cannot be used. */
interface OptionFailure {
  readonly code: "invalid_hook";
  readonly field: string;
  readonly message: string;
}

function decode(input: unknown, options: DecodeOptions | undefined): Message | Failure | OptionFailure {
  const maxBytes = options?.maxBytes ?? DEFAULT_MAX_BYTES;
  if (!isInteger(maxBytes) || maxBytes < 0) {
    return { code: "invalid_hook", field: "max_bytes", message: "expected an integer of at least 0" };
  }
  const read = readText(input, maxBytes);
  if (typeof read !== "string") return invalidJson(read.reason);
  const json = parseStrictJson(read);
  return json.ok ? readMessage(json.value) : invalidJson(json.reason);
}

/** Strict text of at most `maxBytes`, or the reason why not. */
function readText(input: unknown, maxBytes: number): string | { readonly reason: string } {
  const tooLong = { reason: `longer than ${maxBytes} bytes` };
  if (typeof input === "string") {
    if (input.length > maxBytes) return tooLong;
    if (!input.isWellFormed()) return { reason: "the text holds a lone surrogate" };
    return input.length * 3 > maxBytes && utf8Length(input) > maxBytes ? tooLong : input;
  }
  if (!isBytes(input)) return { reason: "neither bytes (Uint8Array) nor text" };
  try {
    if (input.length > maxBytes) return tooLong;
    if (input[0] === 0) return { reason: SCHEMA_REGISTRY };
    return utf8ToText(unshared(input)) ?? { reason: "not UTF-8" };
  } catch {
    return { reason: "more bytes than one string of this runtime holds" };
  }
}

function readMessage(value: unknown): Message | Failure {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { code: "not_an_object", field: null, message: "a JSON text, but not an object" };
  }
  const named = ownFields(value);
  const fields = readFields(named);
  if (isFailure(fields)) return fields;

  const base64 = named["body_base64"] ?? null;
  const claim = named["claim"] ?? null;
  if (base64 !== null && claim !== null) {
    return { code: "ambiguous_body", field: null, message: "both body_base64 and claim are there" };
  }
  const body = claim === null ? readInline(base64) : readClaim(claim);
  if (isFailure(body)) return body;
  return checkBody(fields, body) ?? new DecodedMessage(fields, body);
}

function readInline(base64: unknown): MessageBody | Failure {
  if (base64 === null) return { code: "missing_body", field: null, message: "neither body_base64 nor claim is there" };
  const bytes = typeof base64 === "string" ? decodeCanonicalBase64(base64) : null;
  if (bytes !== null) return { form: "inline", bytes };
  return { code: "invalid_body_base64", field: null, message: "body_base64 is not canonical, padded base64" };
}

function readClaim(claim: unknown): MessageBody | Failure {
  if (typeof claim !== "string" || tryParseClaimRef(claim) === null) {
    return invalidField("claim", "a claim reference of version 1 or 2");
  }
  return { form: "claim", ref: claim };
}

function invalidJson(reason: string): Failure {
  return { code: "invalid_json", field: null, message: reason };
}
