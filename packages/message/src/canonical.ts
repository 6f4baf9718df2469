import type { CommonFields } from "./fields.js";
import { Dictionary, ownFields } from "./own.js";
import type { HeaderPair } from "./types.js";

const SURROGATE = /[\ud800-\udfff]/;
/** A name that an object may move to its front, whatever the order of insertion. */
const MAY_BE_AN_INDEX = /^[0-9]/;

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
  const object = {
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
    verification: verification && ownFields(verification),
    headers: plain,
    traceparent,
    tracestate,
    instance,
    region,
    ordering_key: fields.ordering_key === null || fields.ordering_key === "" ? undefined : fields.ordering_key,
  };
  const json = JSON.stringify(ownFields(object)); // which calls no inherited toJSON
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
  const object = new Dictionary();
  for (const header of sorted) {
    if (MAY_BE_AN_INDEX.test(header[0])) return null;
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
