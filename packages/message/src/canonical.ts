import type { CommonFields } from "./fields.js";
import type { HeaderPair } from "./types.js";

const NONCHARACTERS = /[\ufffe\uffff]/g;
/** A name that an object may move to its front, whatever the order of insertion. */
const MAY_BE_AN_INDEX = /^[0-9]/;

/** The text of a canonical message up to its body: an unclosed object. */
export function canonicalHead(
  fields: Omit<CommonFields, "headers" | "sha256">,
  headers: readonly HeaderPair[],
): string {
  const { v, id, source_id, tenant_id, received_at, content_type, size } = fields;
  const { dedupe_key, replay_id, idempotency_key, verification } = fields;
  const { traceparent, tracestate, instance, region, ordering_key } = fields;
  const before = JSON.stringify({
    v,
    id,
    source_id,
    tenant_id,
    received_at,
    content_type,
    size,
    dedupe_key,
    replay_id,
    idempotency_key,
    verification,
  });
  const ordering = ordering_key === null || ordering_key === "" ? undefined : ordering_key; // undefined is not written
  const after = JSON.stringify({ traceparent, tracestate, instance, region, ordering_key: ordering });
  return escapeNoncharacters(`${open(before)},"headers":${canonicalHeaders(headers)},${open(after).slice(1)}`);
}

/** The rest of an inline message; without `sha256` when it is null. */
export function inlineTail(sha256: string | null, base64: string): string {
  return `${sha256 === null ? "" : `,"sha256":"${sha256}"`},"body_base64":"${base64}"}`;
}

/** The rest of a claim message. */
export function claimTail(ref: string, sha256: string): string {
  return `,"claim":${escapeNoncharacters(JSON.stringify(ref))},"sha256":"${sha256}"}`;
}

/** JSON.stringify leaves these two as they are and some languages' writers cannot, so all escape them. */
function escapeNoncharacters(json: string): string {
  return json.replace(NONCHARACTERS, (unit) => (unit === "\ufffe" ? "\\ufffe" : "\\uffff"));
}

/** A JSON object without its closing brace. */
function open(json: string): string {
  return json.slice(0, -1);
}

function canonicalHeaders(headers: readonly HeaderPair[]): string {
  const sorted = [...headers].sort(([a], [b]) => compareUtf8(a, b));
  if (!sorted.some(([name]) => MAY_BE_AN_INDEX.test(name))) return JSON.stringify(Object.fromEntries(sorted));
  return `{${sorted.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(",")}}`;
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
