import { type Cause, fromAnyBase64, isObject, likeness, looksLikeMessage, parseJson } from "./cause.js";

/** Values that are looked at while searching an envelope. */
const MOST_VALUES = 2_000;
const MOST_DEPTH = 6;

interface Envelope {
  readonly what: string;
  readonly todo: string;
  /** Whether the parsed value is one. */
  readonly is: (value: Readonly<Record<string, unknown>>) => boolean;
}

const has = (value: unknown, ...names: readonly string[]): boolean =>
  isObject(value) && names.every((name) => Object.hasOwn(value, name));
const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);

/** Envelopes that services put around what was published. */
const ENVELOPES: readonly Envelope[] = [
  {
    what: "an SNS notification",
    todo: "Turn on raw message delivery for the subscription, or take its `Message` before the decode.",
    is: (value) => has(value, "Type", "Message") && has(value, "TopicArn"),
  },
  {
    what: "an EventBridge event",
    todo: "Send only `$.detail` to the target (its input path), or take `detail` before the decode.",
    is: (value) => has(value, "detail-type", "detail"),
  },
  {
    what: "a Pub/Sub push request",
    todo: "Decode `message.data` from base64 first, or turn on payload unwrapping for the subscription.",
    is: (value) => has(value, "message") && (has(value["message"], "data") || has(value, "subscription")),
  },
  {
    what: "what a Lambda function is given for SQS, SNS, Kinesis or DynamoDB",
    todo: "Decode each record by itself: `body` (SQS), `Sns.Message` (SNS), `kinesis.data` from base64 (Kinesis).",
    is: (value) => has(first(value["Records"]), "eventSource") || has(first(value["Records"]), "EventSource"),
  },
  {
    what: "what a Lambda function is given for Kafka",
    todo: "Decode each record's `value` from base64 first.",
    is: (value) => has(value, "eventSource", "records"),
  },
  {
    what: "the answer of SQS ReceiveMessage",
    todo: "Decode the `Body` of each of `Messages`.",
    is: (value) => has(first(value["Messages"]), "Body"),
  },
  {
    what: "one message as SQS gives it",
    todo: "Decode its `Body`.",
    is: (value) => has(value, "Body", "ReceiptHandle"),
  },
  {
    what: "a CloudEvent",
    todo: "Decode its `data` (or `data_base64`); or send the message in binary mode.",
    is: (value) => has(value, "specversion"),
  },
  {
    what: "what Kafka Connect's JsonConverter writes",
    todo: "Set `value.converter` to the ByteArrayConverter, or `schemas.enable=false`.",
    is: (value) => has(value, "schema", "payload"),
  },
  {
    what: "a record as kcat -J prints it",
    todo: "Decode its `payload`.",
    is: (value) => has(value, "topic", "offset", "payload"),
  },
  {
    what: "a message as RabbitMQ's management API gives it",
    todo: "Decode its `payload` (from base64 when `payload_encoding` says so).",
    is: (value) => has(value, "payload", "payload_encoding"),
  },
  {
    what: "Node's JSON of a Buffer",
    todo: "Publish the Buffer itself, not JSON.stringify of it.",
    is: (value) => value["type"] === "Buffer" && Array.isArray(value["data"]),
  },
];

/**
 * Looks at a parsed value that is no message for a message inside of it.
 *
 * @param value - any parsed JSON value
 * @param maxBytes - largest message
 */
export function envelopeCauses(value: unknown, maxBytes: number): Cause[] {
  if (typeof value === "string") {
    if (candidate(value) === null) return []; // just a string
    const inner = Buffer.from(fromAnyBase64(value) ?? value);
    const what = "It is a JSON string, not an object: the message was encoded as JSON twice.";
    const todo =
      "Publish the encoded bytes as they are; do not JSON.stringify (json.dumps) them again, nor hand them to a JSON serializer.";
    return [{ what, todo, ...(likeness(inner, maxBytes) > 0 ? { inner } : {}) }];
  }
  const subject = Array.isArray(value) ? value[0] : value;
  const envelope = isObject(subject) ? ENVELOPES.find(({ is }) => is(subject)) : undefined;
  const found = findInside(value, maxBytes);
  const inner = found === null ? {} : { inner: found.bytes };
  if (envelope !== undefined) {
    const where = found === null ? "" : `; the message stands under ${found.path}`;
    return [{ what: `It is ${envelope.what}${where}.`, todo: envelope.todo, ...inner }];
  }
  if (found === null) return [];
  if (Array.isArray(value)) {
    return [
      {
        what: `It is an array; a message stands under ${found.path}.`,
        todo: "Publish each message by itself.",
        ...inner,
      },
    ];
  }
  return [
    {
      what: `It is an envelope; a message stands under ${found.path}.`,
      todo: "Unwrap it before the decode.",
      ...inner,
    },
  ];
}

interface Found {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** The first message inside of a value, breadth first; what means to be one when none decodes. */
function findInside(value: unknown, maxBytes: number): Found | null {
  let attempt: Found | null = null;
  const queue: { readonly value: unknown; readonly path: string; readonly depth: number }[] = [
    { value, path: "", depth: 0 },
  ];
  for (let i = 0; i < queue.length && i < MOST_VALUES; i++) {
    const next = queue[i];
    if (next === undefined) break;
    const bytes = next.depth === 0 ? bufferJson(next.value) : candidate(next.value);
    const rank = bytes === null ? 0 : likeness(bytes, maxBytes);
    if (bytes !== null && rank === 2) return { path: next.path || "data", bytes };
    if (bytes !== null && rank === 1) attempt ??= { path: next.path || "data", bytes };
    if (
      next.depth < MOST_DEPTH &&
      typeof next.value === "object" &&
      next.value !== null &&
      queue.length < MOST_VALUES
    ) {
      for (const [name, item] of entriesOf(next.value, MOST_VALUES - queue.length)) {
        const path = Array.isArray(next.value)
          ? `${next.path}[${name}]`
          : `${next.path}${next.path === "" ? "" : "."}${name}`;
        queue.push({ value: item, path, depth: next.depth + 1 });
      }
    }
  }
  return attempt;
}

/** The first entries of an object or an array; a list of millions is not copied for a few of them. */
function entriesOf(value: object, most: number): [string, unknown][] {
  const some = Array.isArray(value) ? value.slice(0, most) : value;
  return Object.entries(some).slice(0, most);
}

function candidate(value: unknown): Uint8Array | null {
  if (isObject(value)) return looksLikeMessage(value) ? Buffer.from(JSON.stringify(value)) : bufferJson(value);
  if (typeof value !== "string") return null;
  const text = value.trim();
  if (text.startsWith("{")) return Buffer.from(text);
  if (text.startsWith('"')) {
    const inner = parseJson(text);
    return typeof inner === "string" ? Buffer.from(inner) : null;
  }
  const bytes = fromAnyBase64(text);
  return bytes?.[0] === 0x7b ? bytes : null;
}

function bufferJson(value: unknown): Uint8Array | null {
  if (!isObject(value) || value["type"] !== "Buffer" || !Array.isArray(value["data"])) return null;
  const data: readonly unknown[] = value["data"];
  return data.every((item) => typeof item === "number") ? Uint8Array.from(data) : null;
}
