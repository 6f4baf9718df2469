import { Failure, invalidField } from "./failure.js";
import { Dictionary, ownFields } from "./own.js";
import type { Verification } from "./types.js";
import { MAX_SUPPORTED_VERSION, MIN_SUPPORTED_VERSION } from "./version.js";

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

const NO_HEX_DIGIT = /[^0-9a-f]/;

/** Whether a value is a digest as the wire writes it: 64 lowercase hex digits. */
export function isSha256(value: unknown): value is string {
  return typeof value === "string" && value.length === 64 && !NO_HEX_DIGIT.test(value);
}

/** Whether a value is an integer that every language holds exactly: at most 2^53 - 1 in magnitude. */
export function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/**
 * Checks `v` and then every field but the body's, in the order that decides which failure is reported.
 *
 * @param value - own fields of an object, its strings well-formed
 * @returns the fields, absent nullable ones as null, or the first failure
 */
export function readFields(value: Partial<Record<string, unknown>>): CommonFields | Failure {
  const { v, id, source_id, received_at, size } = value;
  if (!isInteger(v) || v < MIN_SUPPORTED_VERSION || v > MAX_SUPPORTED_VERSION) {
    const range = `${MIN_SUPPORTED_VERSION} to ${MAX_SUPPORTED_VERSION}`;
    return new Failure("unsupported_version", null, `v is not an integer from ${range}`);
  }
  if (typeof id !== "string" || id === "") return invalidField("id", "a string that is not empty");
  if (typeof source_id !== "string") return invalidField("source_id", "a string");
  if (!isInteger(received_at)) return invalidField("received_at", "an integer of Unix milliseconds");
  if (!isInteger(size) || size < 0) return invalidField("size", "an integer of at least 0");

  const { tenant_id = null, content_type = null, dedupe_key = null, replay_id = null, idempotency_key = null } = value;
  const { traceparent = null, tracestate = null, instance = null, region = null, ordering_key = null } = value;
  if (!isNullableText(tenant_id)) return notNullableText("tenant_id");
  if (!isNullableText(content_type)) return notNullableText("content_type");
  if (!isNullableText(dedupe_key)) return notNullableText("dedupe_key");
  if (!isNullableText(replay_id)) return notNullableText("replay_id");
  if (!isNullableText(idempotency_key)) return notNullableText("idempotency_key");
  if (!isNullableText(traceparent)) return notNullableText("traceparent");
  if (!isNullableText(tracestate)) return notNullableText("tracestate");
  if (!isNullableText(instance)) return notNullableText("instance");
  if (!isNullableText(region)) return notNullableText("region");
  if (!isNullableText(ordering_key)) return notNullableText("ordering_key");

  const verification = readVerification(value["verification"]);
  if (verification === undefined) {
    return invalidField("verification", '{"status": "ok|failed|skipped", "flagged": boolean} or null');
  }
  const headers = readHeaders(value["headers"]);
  if (headers === undefined) return invalidField("headers", "an object whose values are strings");
  const { sha256 } = value;
  if (sha256 !== undefined && !isSha256(sha256)) return invalidField("sha256", "64 lowercase hex digits");

  return {
    v,
    id,
    source_id,
    tenant_id,
    received_at: received_at + 0, // -0 becomes 0
    content_type,
    size: size + 0,
    dedupe_key,
    replay_id,
    idempotency_key,
    verification,
    headers,
    traceparent,
    tracestate,
    instance,
    region,
    ordering_key,
    sha256: sha256 ?? null,
  };
}

function isNullableText(value: unknown): value is string | null {
  return typeof value === "string" || value === null;
}

function notNullableText(field: string): Failure {
  return invalidField(field, "a string or null");
}

/** The verification, null for none, undefined when it is neither. Other names in it are ignored. */
export function readVerification(value: unknown): Verification | null | undefined {
  if (value === undefined || value === null) return null;
  if (typeof value !== "object" || Array.isArray(value)) return undefined;
  const { status, flagged } = ownFields(value);
  if ((status !== "ok" && status !== "failed" && status !== "skipped") || typeof flagged !== "boolean")
    return undefined;
  return { status, flagged };
}

/** A plain copy that inherits nothing; undefined when it is no plain object or a value is not a string. */
function readHeaders(value: unknown): Record<string, string> | undefined {
  if (value === undefined) return new Dictionary();
  if (Object.prototype.toString.call(value) !== "[object Object]") return undefined; // null, an array, a Map, Headers
  const headers = Object.assign(new Dictionary(), value);
  for (const name in headers) if (typeof headers[name] !== "string") return undefined;
  return headers;
}
