import type { CommonFields } from "./fields.js";
import type { HeaderPair } from "./types.js";

const SURROGATE = /[\ud800-\udfff]/;
/** Names that an object literal does not keep in order, or takes for its prototype. */
const NO_PLAIN_NAME = /^(?:[0-9]|__proto__$)/;

/** The text of a canonical message up to its body: an unclosed object. */
export function canonicalHead(
  fields: Omit<CommonFields, "headers" | "sha256">,
  headers: readonly HeaderPair[],
): string {
  const { v, id, source_id, tenant_id, received_at, content_type, size } = fields;
  const { dedupe_key, replay_id, idempotency_key, verification } = fields;
  const { traceparent, tracestate, instance, region } = fields;
  const sorted = [...headers].sort((a, b) => compareUtf8(a[0], b[0]));
  const plain = plainObject(sorted);
  const json = JSON.stringify({
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
    headers: plain,
    traceparent,
    tracestate,
    instance,
    region,
    ordering_key: fields.ordering_key === null || fields.ordering_key === "" ? undefined : fields.ordering_key,
  });
  // No string can hold this text: in a string, a quote stands behind a backslash.
  const whole = plain !== null ? json : json.replace(',"headers":null,', () => `,"headers":${headersInOrder(sorted)},`);
  return escapeNoncharacters(whole.slice(0, -1));
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
  if (!json.includes("\ufffe") && !json.includes("\uffff")) return json;
  return json.replaceAll("\ufffe", "\\ufffe").replaceAll("\uffff", "\\uffff");
}

/** The headers as an object, which JSON.stringify writes in one go; null when a name does not allow it. */
function plainObject(sorted: readonly HeaderPair[]): Record<string, string> | null {
  const object: Record<string, string> = {};
  for (const header of sorted) {
    if (NO_PLAIN_NAME.test(header[0])) return null;
    object[header[0]] = header[1];
  }
  return object;
}

function headersInOrder(sorted: readonly HeaderPair[]): string {
  return `{${sorted.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(",")}}`;
}

/** Order of the UTF-8 bytes, which is the order of code points; `<` has it but for surrogates. */
function compareUtf8(a: string, b: string): number {
  if (!SURROGATE.test(a) && !SURROGATE.test(b)) return a < b ? -1 : a > b ? 1 : 0;
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
