import type { DecodeErrorCode } from "./errors.js";
import type { Verification } from "./types.js";
import { MAX_SUPPORTED_VERSION, MIN_SUPPORTED_VERSION } from "./version.js";

/** Why something is not a message. */
export interface Failure {
  readonly code: DecodeErrorCode;
  readonly field: string | null;
  readonly message: string;
}

/** The fields of a message that both body forms share, as the wire has them. */
export interface CommonFields {
  v: number;
  id: string;
  source_id: string;
  tenant_id: string | null;
  received_at: number;
  content_type: string | null;
  size: number;
  dedupe_key: string | null;
  replay_id: string | null;
  idempotency_key: string | null;
  verification: Verification | null;
  headers: Record<string, string>;
  traceparent: string | null;
  tracestate: string | null;
  instance: string | null;
  region: string | null;
  ordering_key: string | null;
  sha256: string | null;
}

/** String-or-null fields in the order in which they are checked. */
const NULLABLE_TEXT = [
  "tenant_id",
  "content_type",
  "dedupe_key",
  "replay_id",
  "idempotency_key",
  "traceparent",
  "tracestate",
  "instance",
  "region",
  "ordering_key",
] as const;

const SHA256 = /^[0-9a-f]{64}$/;

/** Whether a value is a digest as the wire writes it: 64 lowercase hex digits. */
export function isSha256(value: unknown): value is string {
  return typeof value === "string" && SHA256.test(value);
}

/** Whether a value is an integer that every language holds exactly: at most 2^53 - 1 in magnitude. */
export function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/** Tells a failure from what was read. */
export function isFailure(read: object): read is Failure {
  return "code" in read;
}

/** Builds the failure of one field. */
export function invalidField(field: string, expected: string): Failure {
  return { code: "invalid_field", field, message: `${field}: expected ${expected}` };
}

/** Reads an own property: an absent name must not find something inherited. */
export function own(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined;
}

/**
 * Checks `v` and then every field but the body's, in the order that decides which failure is reported.
 *
 * @param value - an object, its strings well-formed
 * @returns the fields, absent nullable ones as null, or the first failure
 */
export function readFields(value: object): CommonFields | Failure {
  const v = own(value, "v");
  if (!isInteger(v) || v < MIN_SUPPORTED_VERSION || v > MAX_SUPPORTED_VERSION) {
    const range = `${MIN_SUPPORTED_VERSION} to ${MAX_SUPPORTED_VERSION}`;
    return { code: "unsupported_version", field: null, message: `v is not an integer from ${range}` };
  }
  const id = own(value, "id");
  if (typeof id !== "string" || id === "") return invalidField("id", "a string that is not empty");
  const source_id = own(value, "source_id");
  if (typeof source_id !== "string") return invalidField("source_id", "a string");
  const received_at = own(value, "received_at");
  if (!isInteger(received_at)) return invalidField("received_at", "an integer of Unix milliseconds");
  const size = own(value, "size");
  if (!isInteger(size) || size < 0) return invalidField("size", "an integer of at least 0");

  const text: Partial<Record<(typeof NULLABLE_TEXT)[number], string>> = {};
  for (const name of NULLABLE_TEXT) {
    const item = own(value, name);
    if (item === undefined || item === null) continue;
    if (typeof item !== "string") return invalidField(name, "a string or null");
    text[name] = item;
  }

  const verification = readVerification(own(value, "verification"));
  if (verification === undefined) return invalidField("verification", '{"status": "ok|failed|skipped", "flagged": boolean} or null');
  const headers = readHeaders(own(value, "headers"));
  if (headers === undefined) return invalidField("headers", "an object whose values are strings");
  const sha256 = own(value, "sha256");
  if (sha256 !== undefined && !isSha256(sha256)) return invalidField("sha256", "64 lowercase hex digits");

  return {
    v,
    id,
    source_id,
    tenant_id: text.tenant_id ?? null,
    received_at: received_at + 0, // -0 becomes 0
    content_type: text.content_type ?? null,
    size: size + 0,
    dedupe_key: text.dedupe_key ?? null,
    replay_id: text.replay_id ?? null,
    idempotency_key: text.idempotency_key ?? null,
    verification,
    headers,
    traceparent: text.traceparent ?? null,
    tracestate: text.tracestate ?? null,
    instance: text.instance ?? null,
    region: text.region ?? null,
    ordering_key: text.ordering_key ?? null,
    sha256: sha256 ?? null,
  };
}

/** The verification, null for none, undefined when it is neither. Other names in it are ignored. */
export function readVerification(value: unknown): Verification | null | undefined {
  if (value === undefined || value === null) return null;
  if (typeof value !== "object" || Array.isArray(value)) return undefined;
  const status = own(value, "status");
  const flagged = own(value, "flagged");
  if ((status !== "ok" && status !== "failed" && status !== "skipped") || typeof flagged !== "boolean") return undefined;
  return { status, flagged };
}

/** A copy without a prototype, so that no name finds something inherited; undefined when a value is not a string. */
function readHeaders(value: unknown): Record<string, string> | undefined {
  const headers: Record<string, string> = Object.create(null);
  if (value === undefined) return headers;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  for (const name of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[name];
    if (typeof item !== "string") return undefined;
    headers[name] = item;
  }
  return headers;
}
