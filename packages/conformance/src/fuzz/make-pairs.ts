import type { Json } from "../types.js";
import type { Random } from "./random.js";
import { carry, makeText, makeUtf16, mutateText } from "./texts.js";

/** Metadata names, each with the message's field that it repeats. */
const NAMES: readonly (readonly [name: string, field: string])[] = [
  ["ankusa_id", "id"],
  ["ankusa_source_id", "source_id"],
  ["ankusa_tenant_id", "tenant_id"],
  ["ankusa_message_version", "v"],
  ["ankusa_idempotency_key", "idempotency_key"],
  ["content_type", "content_type"],
  ["ankusa_dedupe_key", "dedupe_key"],
  ["ankusa_replay_id", "replay_id"],
  ["ankusa_ordering_key", "ordering_key"],
  ["traceparent", "traceparent"],
  ["tracestate", "tracestate"],
];

/** Metadata pairs in every shape that clients give; beside a message, its own values as often as others. */
export function makePairs(random: Random, message?: Uint8Array): Json[] {
  const fields = message === undefined ? {} : fieldsOf(message);
  return random.list(random.length(12), () => {
    const [name, field] = random.pick(NAMES);
    const own = fields[field];
    const text = typeof own === "string" && !random.oneIn(4) ? own : makeUtf16(random);
    const spelled = random.oneIn(12) ? carry(mutateText(random, name)) : name;
    return [spelled, makeValue(random, text)];
  });
}

function makeValue(random: Random, text: string): Json {
  switch (random.below(10)) {
    case 0:
      return { base64: bytesOf(random, text).toString("base64") };
    case 1:
      return random.list(random.below(4), () => makeElement(random, text));
    case 2:
      return [...bytesOf(random, text)].map((byte) => (byte > 127 && random.oneIn(2) ? byte - 256 : byte));
    case 3:
      return random.oneIn(2)
        ? { DataType: "String", StringValue: makeElement(random, text) }
        : { Type: "String", Value: makeElement(random, text) };
    case 4:
      return random.oneIn(2) ? null : "";
    case 5:
      return random.pick<Json>([
        1,
        true,
        [],
        [[]],
        {},
        [256],
        [-129],
        [1.5],
        [97, "a"],
        { base64: "" },
        { DataType: "Binary", BinaryValue: { base64: "YQ==" } },
        { DataType: "String" },
        { StringValue: "a" },
      ]);
    default:
      return carry(text);
  }
}

function makeElement(random: Random, text: string): Json {
  if (random.oneIn(12)) return random.pick<Json>([1, null, "", false, ["a"], {}]);
  if (random.oneIn(5)) return { base64: bytesOf(random, text).toString("base64") };
  return carry(random.oneIn(4) ? makeText(random) : text);
}

function bytesOf(random: Random, text: string): Buffer {
  const bytes = Buffer.from(text);
  return random.oneIn(10) ? Buffer.concat([bytes, random.bytes(1)]) : bytes;
}

/** What a lenient reader finds in the message; nothing when there is none. */
function fieldsOf(message: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(message).toString("utf8"));
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
