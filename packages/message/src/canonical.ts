import type { CommonFields } from "./fields.js";
import type { HeaderPair } from "./types.js";

const NONCHARACTERS = /[\ufffe\uffff]/g;

/** The text of a canonical message up to its body: an unclosed object. */
export function canonicalHead(fields: Omit<CommonFields, "headers" | "sha256">, headers: readonly HeaderPair[]): string {
  const { verification, ordering_key } = fields;
  return (
    `{"v":${fields.v},"id":${quote(fields.id)},"source_id":${quote(fields.source_id)}` +
    `,"tenant_id":${orNull(fields.tenant_id)},"received_at":${fields.received_at}` +
    `,"content_type":${orNull(fields.content_type)},"size":${fields.size}` +
    `,"dedupe_key":${orNull(fields.dedupe_key)},"replay_id":${orNull(fields.replay_id)}` +
    `,"idempotency_key":${orNull(fields.idempotency_key)},"verification":` +
    (verification === null ? "null" : `{"status":"${verification.status}","flagged":${verification.flagged}}`) +
    `,"headers":${canonicalHeaders(headers)}` +
    `,"traceparent":${orNull(fields.traceparent)},"tracestate":${orNull(fields.tracestate)}` +
    `,"instance":${orNull(fields.instance)},"region":${orNull(fields.region)}` +
    (ordering_key === null || ordering_key === "" ? "" : `,"ordering_key":${quote(ordering_key)}`)
  );
}

/** The rest of an inline message; without `sha256` when it is null. */
export function inlineTail(sha256: string | null, base64: string): string {
  return `${sha256 === null ? "" : `,"sha256":"${sha256}"`},"body_base64":"${base64}"}`;
}

/** The rest of a claim message. */
export function claimTail(ref: string, sha256: string): string {
  return `,"claim":${quote(ref)},"sha256":"${sha256}"}`;
}

/** A JSON string with the escapes that every language's canonical writer uses; the text is well-formed. */
export function quote(text: string): string {
  return JSON.stringify(text).replace(NONCHARACTERS, (unit) => (unit === "\ufffe" ? "\\ufffe" : "\\uffff"));
}

function orNull(text: string | null): string {
  return text === null ? "null" : quote(text);
}

function canonicalHeaders(headers: readonly HeaderPair[]): string {
  const sorted = [...headers].sort(([a], [b]) => compareUtf8(a, b));
  return `{${sorted.map(([name, value]) => `${quote(name)}:${quote(value)}`).join(",")}}`;
}

/** Order of the UTF-8 bytes, which is the order of code points. */
function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = codePointRank(a.charCodeAt(i)) - codePointRank(b.charCodeAt(i));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Moves surrogates, which stand for code points from U+10000 on, behind U+E000 to U+FFFF. */
function codePointRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
