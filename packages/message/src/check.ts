import { isBytes } from "./bytes.js";
import { InvalidHookError } from "./errors.js";
import { isInteger, readVerification } from "./fields.js";
import type { ForwardOptions, HeaderPair, Hook, PublishContext, SizeLimits, Verification } from "./types.js";

/** Default of {@link ForwardOptions.maxHeaders}. */
const DEFAULT_MAX_HEADERS = 64;
/** Default of {@link ForwardOptions.maxHeaderBytes}: 16 KiB. */
const DEFAULT_MAX_HEADER_BYTES = 16_384;
/** Default of {@link SizeLimits.inlineMaxBytes}: 64 KiB, whose message stays far under every broker's limit. */
const DEFAULT_INLINE_MAX_BYTES = 65_536;
/** Default of {@link SizeLimits.maxBytes}: 1 MiB. */
const DEFAULT_MAX_BYTES = 1_048_576;

/** Longest string of V8 on 64 bits, 2^29 - 24 units: a message is built as one, whatever `maxBytes` allows. */
const LONGEST_TEXT = 0x1fff_ffe8;

/** A {@link Hook} that was checked, absent values filled in. */
export interface CheckedHook {
  readonly id: string;
  readonly source_id: string;
  readonly tenant_id: string | null;
  readonly received_at: number;
  readonly content_type: string | null;
  readonly body: Uint8Array;
  readonly dedupe_key: string | null;
  readonly headers: readonly HeaderPair[];
  readonly verification: Verification;
  readonly traceparent: string | null;
  readonly tracestate: string | null;
}

/** {@link ForwardOptions} that were checked. */
export interface CheckedForwarding {
  readonly forward: "default" | readonly string[];
  readonly maxHeaders: number;
  readonly maxHeaderBytes: number;
}

/** A {@link PublishContext} that was checked. */
export interface CheckedContext {
  readonly instance: string | null;
  readonly region: string | null;
  readonly replay_id: string | null;
  readonly ordering_key: string | null;
  readonly forwarding: CheckedForwarding;
}

/** {@link SizeLimits} that were checked; `overhead` is counted. */
export interface CheckedLimits {
  readonly inlineMaxBytes: number;
  readonly maxBytes: number;
  readonly overhead: number;
}

/** Checks a hook's fields in the order that decides which one is reported. Throws {@link InvalidHookError}. */
export function checkHook(hook: Hook): CheckedHook {
  checkObject(hook, "hook");
  return {
    id: checkId(hook.id),
    source_id: checkText(hook.source_id, "source_id"),
    tenant_id: checkOptionalText(hook.tenant_id, "tenant_id"),
    received_at: checkReceivedAt(hook.received_at),
    content_type: checkOptionalText(hook.content_type, "content_type"),
    body: checkBody(hook.body),
    dedupe_key: checkOptionalText(hook.dedupe_key, "dedupe_key"),
    headers: checkHeaders(hook.headers),
    verification: checkVerification(hook.verification),
    traceparent: checkOptionalText(hook.traceparent, "traceparent"),
    tracestate: checkOptionalText(hook.tracestate, "tracestate"),
  };
}

/** Checks a publish context; null and undefined are an empty one. Throws {@link InvalidHookError}. */
export function checkContext(context: PublishContext | null | undefined): CheckedContext {
  const given = context ?? {};
  checkObject(given, "context");
  return {
    instance: checkOptionalText(given.instance, "instance"),
    region: checkOptionalText(given.region, "region"),
    replay_id: checkOptionalText(given.replay_id, "replay_id"),
    ordering_key: checkOptionalText(given.ordering_key, "ordering_key"),
    forwarding: checkForwarding(given),
  };
}

/** Checks forwarding options. Throws {@link InvalidHookError}. */
export function checkForwarding(options: ForwardOptions): CheckedForwarding {
  return {
    forward: checkForward(options.forward),
    maxHeaders: checkCount(options.maxHeaders, "max_headers", DEFAULT_MAX_HEADERS),
    maxHeaderBytes: checkCount(options.maxHeaderBytes, "max_header_bytes", DEFAULT_MAX_HEADER_BYTES),
  };
}

/** Checks size limits and counts the transport's overhead. Throws {@link InvalidHookError}. */
export function checkLimits(limits: SizeLimits | null | undefined): CheckedLimits {
  const given = limits ?? {};
  checkObject(given, "limits");
  return {
    inlineMaxBytes: checkCount(given.inlineMaxBytes, "inline_max_bytes", DEFAULT_INLINE_MAX_BYTES),
    maxBytes: Math.min(checkCount(given.maxBytes, "max_bytes", DEFAULT_MAX_BYTES), LONGEST_TEXT),
    overhead: checkCount(measureOverhead(given.overhead), "overhead", 0),
  };
}

/** Checks request headers: pairs of two well-formed strings; absent is none. Throws {@link InvalidHookError}. */
export function checkHeaders(headers: unknown): readonly HeaderPair[] {
  if (headers === undefined || headers === null) return [];
  if (!Array.isArray(headers)) throw new InvalidHookError("headers", "expected an array of [name, value] pairs");
  const checked: HeaderPair[] = [];
  for (const pair of headers) {
    const isPair = Array.isArray(pair) && pair.length === 2;
    const name: unknown = isPair ? pair[0] : undefined;
    const value: unknown = isPair ? pair[1] : undefined;
    if (!isText(name) || !isText(value)) {
      throw new InvalidHookError("headers", "expected each header to be two well-formed strings, [name, value]");
    }
    checked.push([name, value]);
  }
  return checked;
}

/** Checks a hook's id: well-formed text that is not empty. Throws {@link InvalidHookError}. */
export function checkId(id: unknown): string {
  if (checkText(id, "id") === "") throw new InvalidHookError("id", "expected a string that is not empty");
  return id as string;
}

/** Checks well-formed text. Throws {@link InvalidHookError} with the field. */
export function checkText(value: unknown, field: string): string {
  if (typeof value !== "string") throw new InvalidHookError(field, "expected a string");
  if (!value.isWellFormed()) throw new InvalidHookError(field, "the string holds a lone surrogate");
  return value;
}

/** Checks well-formed text or null; absent is null. Throws {@link InvalidHookError} with the field. */
export function checkOptionalText(value: unknown, field: string): string | null {
  return value === undefined || value === null ? null : checkText(value, field);
}

/** Checks that a value is an object, so that its fields can be read. Throws {@link InvalidHookError}. */
export function checkObject(value: unknown, field: string): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InvalidHookError(field, "expected an object");
  }
}

function checkReceivedAt(value: unknown): number {
  if (!isInteger(value)) {
    throw new InvalidHookError(
      "received_at",
      "expected an integer of Unix milliseconds, at most 2^53 - 1 in magnitude",
    );
  }
  return value + 0; // -0 becomes 0
}

function checkBody(body: unknown): Uint8Array {
  if (!isBytes(body)) throw new InvalidHookError("body_base64", "expected the body as a Uint8Array");
  return body;
}

function checkVerification(value: unknown): Verification {
  const verification = readVerification(value);
  if (verification === undefined) {
    throw new InvalidHookError("verification", 'expected {status: "ok" | "failed" | "skipped", flagged: boolean}');
  }
  return verification ?? { status: "skipped", flagged: false };
}

function checkForward(forward: unknown): "default" | readonly string[] {
  if (forward === undefined || forward === null || forward === "default") return "default";
  const names: unknown[] | null = Array.isArray(forward) ? Array.from(forward) : null;
  if (names?.every(isText) === true) return names;
  throw new InvalidHookError("forward", 'expected "default" or an array of header names');
}

function measureOverhead(overhead: unknown): unknown {
  if (overhead === undefined || overhead === null) return 0;
  if (typeof overhead !== "function") throw new InvalidHookError("overhead", "expected a function that counts bytes");
  return overhead();
}

function checkCount(value: unknown, field: string, otherwise: number): number {
  if (value === undefined || value === null) return otherwise;
  if (!isInteger(value) || value < 0) throw new InvalidHookError(field, "expected an integer of at least 0");
  return value;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.isWellFormed();
}
