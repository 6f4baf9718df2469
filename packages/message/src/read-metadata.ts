import { isBytes, unshared } from "./bytes.js";
import { own } from "./own.js";
import { utf8ToText } from "./runtime/node.js";

/** Why a metadata value is to be doubted. */
export interface MetadataProblem {
  /** The name as it is on the wire, such as `ankusa_id`. */
  readonly name: string;
  /**
   * `repeated`: different values, the last one counts; `conflict`: different values under an identity name, none counts;
   * `unreadable`: a value that is no text, which counts as absent.
   */
  readonly problem: "repeated" | "conflict" | "unreadable";
}

/** The metadata beside a message. Null is absent; so are `""` and what cannot be read. */
export interface Metadata {
  readonly id: string | null;
  readonly source_id: string | null;
  readonly tenant_id: string | null;
  readonly message_version: string | null;
  readonly idempotency_key: string | null;
  readonly dedupe_key: string | null;
  readonly replay_id: string | null;
  readonly ordering_key: string | null;
  readonly traceparent: string | null;
  readonly tracestate: string | null;
  /** In order of the names' first appearance. */
  readonly problems: readonly MetadataProblem[];
}

type Field = Exclude<keyof Metadata, "problems">;

/** Every name of the two metadata sets and the field it is read into; `content_type` is known, but not read. */
const FIELD_OF: ReadonlyMap<string, Field | null> = new Map([
  ["ankusa_id", "id"],
  ["ankusa_source_id", "source_id"],
  ["ankusa_tenant_id", "tenant_id"],
  ["ankusa_message_version", "message_version"],
  ["ankusa_idempotency_key", "idempotency_key"],
  ["content_type", null],
  ["ankusa_dedupe_key", "dedupe_key"],
  ["ankusa_replay_id", "replay_id"],
  ["ankusa_ordering_key", "ordering_key"],
  ["traceparent", "traceparent"],
  ["tracestate", "tracestate"],
]);

/** Names that say which hook a message is: two values that differ cannot both be believed. */
const IDENTITY: ReadonlySet<string> = new Set([
  "ankusa_id",
  "ankusa_source_id",
  "ankusa_tenant_id",
  "ankusa_idempotency_key",
]);

const ATTRIBUTE_SPELLINGS = [
  ["DataType", "StringValue"],
  ["Type", "Value"],
] as const;
/** No broker carries as many values or bytes under one name: a longer array is a mistake, such as one full of holes. */
const MAX_ITEMS = 1 << 20;
const UNREADABLE = Symbol("unreadable");

/**
 * Reads the metadata beside a message without parsing the message: what a deduplicating consumer does first.
 *
 * @param metadata - a Map, a plain object, or an array of `[name, value]` pairs. A value may be text, bytes of UTF-8, an
 *   array of those, an array of byte numbers (-128 to 255), or SQS's `{DataType, StringValue}` and SNS's `{Type, Value}`.
 *   Names match exactly; names of neither metadata set are ignored.
 * @returns the values, null where absent, and the problems found; never throws
 */
export function readMetadata(metadata: unknown): Metadata {
  const seen = new Map<string, Reading>();
  try {
    for (const [name, value] of entries(metadata)) {
      if (typeof name === "string" && FIELD_OF.has(name)) {
        const reading = seen.get(name) ?? { value: null, problems: new Set() };
        seen.set(name, reading);
        collect(reading, value, IDENTITY.has(name) ? "conflict" : "repeated");
      }
    }
  } catch {
    // A container that throws while it is read gives no more than it gave so far.
  }
  const result: Record<Field, string | null> = {
    id: null,
    source_id: null,
    tenant_id: null,
    message_version: null,
    idempotency_key: null,
    dedupe_key: null,
    replay_id: null,
    ordering_key: null,
    traceparent: null,
    tracestate: null,
  };
  const problems: MetadataProblem[] = [];
  for (const [name, reading] of seen) {
    const field = FIELD_OF.get(name) ?? null;
    if (field !== null && !reading.problems.has("conflict")) result[field] = reading.value;
    for (const problem of reading.problems) problems.push({ name, problem });
  }
  return { ...result, problems };
}

/** What was read under one name so far. */
interface Reading {
  value: string | null;
  readonly problems: Set<MetadataProblem["problem"]>;
}

function* entries(metadata: unknown): Iterable<readonly [unknown, unknown]> {
  if (typeof metadata !== "object" || metadata === null) return;
  if (isMap(metadata)) {
    yield* metadata;
  } else if (Array.isArray(metadata)) {
    for (const pair of metadata.slice(0, MAX_ITEMS)) if (Array.isArray(pair)) yield [pair[0], pair[1]];
  } else {
    for (const name of Object.keys(metadata)) yield [name, readProperty(metadata, name)];
  }
}

function readProperty(object: object, name: string): unknown {
  try {
    return (object as Record<string, unknown>)[name];
  } catch {
    return UNREADABLE;
  }
}

function isMap(value: object): value is ReadonlyMap<unknown, unknown> {
  return Object.prototype.toString.call(value) === "[object Map]";
}

function collect(reading: Reading, value: unknown, ifDifferent: "repeated" | "conflict"): void {
  if (Array.isArray(value) && value.length > MAX_ITEMS) {
    reading.problems.add("unreadable");
    return;
  }
  const several = Array.isArray(value) && !isByteNumbers(value);
  for (const item of several ? value : [value]) {
    const text = several ? readText(item) : readValue(item);
    if (text === UNREADABLE) {
      reading.problems.add("unreadable");
    } else if (text !== "") {
      if (reading.value !== null && reading.value !== text) reading.problems.add(ifDifferent);
      reading.value = text;
    }
  }
}

/** The text of one value in any of its shapes, `""` for an absent one. */
function readValue(value: unknown): string | typeof UNREADABLE {
  if (Array.isArray(value)) return readByteNumbers(value);
  return typeof value === "object" && value !== null && !isBytes(value) ? readAttribute(value) : readText(value);
}

/** The text of a string or of UTF-8, `""` for an absent one. */
function readText(value: unknown): string | typeof UNREADABLE {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value.isWellFormed() ? value : UNREADABLE;
  return isBytes(value) ? (utf8ToText(unshared(value)) ?? UNREADABLE) : UNREADABLE;
}

function isByteNumbers(value: readonly unknown[]): value is readonly number[] {
  if (value.length === 0) return false;
  for (const item of value) if (typeof item !== "number") return false; // a hole is none
  return true;
}

function readByteNumbers(numbers: readonly number[]): string | typeof UNREADABLE {
  if (!numbers.every((number) => Number.isInteger(number) && number >= -128 && number <= 255)) return UNREADABLE;
  return utf8ToText(Uint8Array.from(numbers)) ?? UNREADABLE; // a signed byte wraps around: -1 is 255
}

/** SQS's `{DataType, StringValue}` or SNS's `{Type, Value}`; one of a binary type holds no text, whatever it shows. */
function readAttribute(attribute: object): string | typeof UNREADABLE {
  for (const [typeName, valueName] of ATTRIBUTE_SPELLINGS) {
    const type = own(attribute, typeName);
    const value = own(attribute, valueName);
    if (typeof type === "string" && !type.startsWith("Binary") && typeof value === "string") return readText(value);
  }
  return UNREADABLE;
}
