import { gunzipSync, inflateSync } from "node:zlib";
import { type Cause, fromAnyBase64, likeness, parseJson } from "./cause.js";
import { isSingleByteText } from "./utf8-causes.js";

type Look = (bytes: Uint8Array, maxBytes: number) => Cause | null;

/** Sizes at which brokers and their clients cut or refuse, in bytes. */
const KNOWN_LIMITS: ReadonlyMap<number, string> = new Map([
  [65_536, "64 KiB"],
  [262_144, "256 KiB, SQS's and SNS's former limit"],
  [1_000_000, "a megabyte, Kafka's default record limit"],
  [1_048_576, "1 MiB, the default limit of NATS, SQS and others"],
  [10_000_000, "Pub/Sub's limit"],
]);

/** Looks at bytes that are no JSON text for what they are instead. Most telling first. */
export function byteCauses(bytes: Uint8Array, maxBytes: number): Cause[] {
  return LOOKS.map((look) => look(bytes, maxBytes)).filter((cause) => cause !== null);
}

const empty: Look = (bytes) =>
  bytes.length > 0
    ? null
    : {
        what: "There are no bytes at all.",
        todo: "On a compacted topic this may be a tombstone (a null value): hand null, not empty bytes, to readDelivery. Otherwise look at what wrote the file.",
      };

const byteOrderMark: Look = (bytes) =>
  startsWith(bytes, 0xef, 0xbb, 0xbf)
    ? {
        what: "It begins with a byte order mark (EF BB BF).",
        todo: 'Write UTF-8 without it ("utf-8", not "utf-8-sig"; no editor or spreadsheet in between).',
        inner: bytes.subarray(3),
      }
    : null;

const WIDE: readonly (readonly [name: string, encoding: "utf-16le" | "utf-16be", first: readonly number[]])[] = [
  ["UTF-16, little endian", "utf-16le", [0xff, 0xfe]],
  ["UTF-16, little endian", "utf-16le", [0x7b, 0x00]],
  ["UTF-16, big endian", "utf-16be", [0xfe, 0xff]],
  ["UTF-16, big endian", "utf-16be", [0x00, 0x7b, 0x00]],
];

/** Whether bytes begin as UTF-16 or UTF-32 text does. */
export function isWide(bytes: Uint8Array): boolean {
  return wideText(bytes, 0) !== null;
}

const wideText: Look = (bytes) => {
  if (startsWith(bytes, 0xff, 0xfe, 0x00, 0x00) || startsWith(bytes, 0x00, 0x00, 0x00, 0x7b)) {
    return { what: "It is UTF-32.", todo: "Write UTF-8." };
  }
  const found = WIDE.find(([, , first]) => startsWith(bytes, ...first));
  if (found === undefined) return null;
  const [name, encoding] = found;
  const todo = "Write UTF-8 (in PowerShell: Out-File -Encoding utf8NoBOM; in Java: getBytes(StandardCharsets.UTF_8)).";
  return { what: `It is ${name}.`, todo, inner: Buffer.from(new TextDecoder(encoding).decode(bytes)) };
};

const schemaRegistry: Look = (bytes, maxBytes) => {
  if (bytes[0] !== 0 || bytes.length < 6 || startsWith(bytes, 0x00, 0x7b, 0x00)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = [5, 9].find((at) => likeness(bytes.subarray(at), maxBytes) > 0) ?? 5;
  const id = length === 5 ? view.getUint32(1) : view.getBigUint64(1);
  return {
    what: `It begins with a schema registry's framing: a 0x00 byte and the schema id ${id}, ${length} bytes in all.`,
    todo: "Publish with a plain byte-array serializer (no KafkaJsonSchemaSerializer and the like), or strip these bytes in the consumer.",
    inner: bytes.subarray(length),
  };
};

const glueRegistry: Look = (bytes) =>
  startsWith(bytes, 0x03, 0x00) && bytes.length > 18
    ? {
        what: "It begins with the AWS Glue schema registry's framing: 0x03, a compression byte and a schema version's UUID, 18 bytes in all.",
        todo: "Publish with a plain byte-array serializer, or strip these bytes in the consumer.",
        inner: bytes.subarray(18),
      }
    : null;

const MAGIC: readonly (readonly [what: string, first: readonly number[]])[] = [
  ["zstd", [0x28, 0xb5, 0x2f, 0xfd]],
  ["LZ4", [0x04, 0x22, 0x4d, 0x18]],
  ["Snappy", [0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59]],
  ["Snappy", [0xff, 0x06, 0x00, 0x00, 0x73, 0x4e, 0x61, 0x50]],
  ["bzip2", [0x42, 0x5a, 0x68]],
  ["xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ["a ZIP file", [0x50, 0x4b, 0x03, 0x04]],
];

const compressed: Look = (bytes, maxBytes) => {
  const todo = "Use the broker's own compression (its client undoes it), or undo the producer's before the decode.";
  const known = MAGIC.find(([, first]) => startsWith(bytes, ...first));
  if (known !== undefined) return { what: `It is compressed: ${known[0]}.`, todo };
  const gzip = startsWith(bytes, 0x1f, 0x8b);
  if (!gzip && !(bytes[0] === 0x78 && [0x01, 0x5e, 0x9c, 0xda].includes(bytes[1] ?? 0))) return null;
  const what = `It is compressed: ${gzip ? "gzip" : "zlib"}.`;
  try {
    return { what, todo, inner: (gzip ? gunzipSync : inflateSync)(bytes, { maxOutputLength: Math.max(1, maxBytes) }) };
  } catch {
    return { what: `${what.slice(0, -1)}, cut off, damaged or over the size limit when unpacked.`, todo };
  }
};

const otherFormat: Look = (bytes) => {
  const first = bytes[0] ?? 0;
  const todo = "A sink message is JSON: look for a serializer between the producer and the broker.";
  if (startsWith(bytes, 0x4f, 0x62, 0x6a, 0x01)) return { what: "It is an Avro file.", todo };
  if ((first >= 0x80 && first <= 0x8f) || first === 0xde || first === 0xdf)
    return { what: "It may be MessagePack (a map).", todo };
  if (first >= 0xa0 && first <= 0xbf) return { what: "It may be CBOR (a map).", todo };
  return null;
};

const otherCharset: Look = (bytes, maxBytes) => {
  if (bytes[0] !== 0x7b || !isSingleByteText(bytes)) return null;
  const inner = Buffer.from(new TextDecoder("windows-1252").decode(bytes));
  if (likeness(inner, maxBytes) === 0) return null;
  return { what: "It reads as Windows-1252 or ISO 8859-1.", todo: "Write UTF-8.", inner };
};

/** What HTTP APIs write before JSON so that a page cannot load it as a script (XSSI). */
const SCRIPT_GUARD = /^(?:\)\]\}'?,?|(?:while|for)\s*\((?:1|true|;;)\)\s*;|\{\}\s*&&)\s*/;

/** The body of a form: names and values, percent-encoded. */
const FORM = /^[\w.%+[\]-]+=[^&=\s]*(?:&[\w.%+[\]-]+=[^&=\s]*)*$/;

/** Text in another dress: each finds the bytes that were meant, or null. */
const DRESSES: readonly (readonly [what: string, todo: string, undress: (text: string) => Uint8Array | null])[] = [
  [
    "It is base64 of something.",
    "Publish the bytes themselves; decode base64 where a tool had to add it (a console, an HTTP API).",
    (text) => fromAnyBase64(text.replaceAll(/\s+/g, "")), // tools break its lines
  ],
  [
    "It is hexadecimal text.",
    "Publish the bytes themselves.",
    (text) => (/[^0-9a-fA-F]/.test(text) ? null : Buffer.from(text, "hex")),
  ],
  [
    "Its quotes are escaped, as inside of another JSON string.",
    "Take what the outer JSON string holds (parse it first), not its source text.",
    (text) => {
      const inner = /^\{\s*\\"/.test(text) ? parseJson(`"${text}"`) : undefined;
      return typeof inner === "string" ? Buffer.from(inner) : null;
    },
  ],
  [
    "It is Python's repr() of bytes.",
    "Write the bytes, not str(bytes).",
    (text) =>
      /^b['"]/.test(text) && text.at(-1) === text[1]
        ? Buffer.from(text.slice(2, -1).replaceAll("\\'", "'").replaceAll("\\\\", "\\"))
        : null,
  ],
  [
    "It is percent-encoded, as a form field.",
    "Decode the form first and take the field's value.",
    (text) => (/^%7B/i.test(text) ? percentDecoded(text) : formField(text)),
  ],
  [
    "It begins with a guard against inclusion as a script, as HTTP APIs write it.",
    "Take it off where the answer of that API is read.",
    (text) => {
      const guard = SCRIPT_GUARD.exec(text);
      return guard === null ? null : Buffer.from(text.slice(guard[0].length));
    },
  ],
  [
    "Its quotes are HTML entities.",
    "Take it from where it was not escaped for a page.",
    (text) =>
      /^\{\s*&(?:quot|#34);/.test(text)
        ? Buffer.from(text.replace(/&(?:quot|#34);/g, '"').replaceAll("&amp;", "&"))
        : null,
  ],
  [
    "It is a server-sent event.",
    "Take what follows `data:`.",
    (text) => (text.startsWith("data:") ? Buffer.from(text.slice(5).trim()) : null),
  ],
];

const dressed: Look = (bytes) => {
  const text = Buffer.from(bytes).toString().trim();
  for (const [what, todo, undress] of DRESSES) {
    const inner = undress(text);
    if (inner?.length && (inner[0] === 0x7b || inner[0] === 0x22 || inner[0] === 0x1f)) return { what, todo, inner };
  }
  return null;
};

const form: Look = (bytes) => {
  const text = Buffer.from(bytes).toString().trim();
  // A value somewhere: base64 may end in an equals sign, too.
  if (!FORM.test(text) || !/=[^&]/.test(text) || formField(text) !== null) return null;
  return {
    what: "It is a form (application/x-www-form-urlencoded), as a browser or a provider sends it.",
    todo: "It is no message: as a provider's body it belongs into body_base64, as in `sinkwire encode`.",
  };
};

const markup: Look = (bytes) =>
  bytes[0] === 0x3c
    ? {
        what: "It is HTML or XML.",
        todo: "An error page of something in between, or a provider that sends XML: its body belongs into body_base64.",
      }
    : null;

const several: Look = (bytes, maxBytes) => {
  const end = bytes.indexOf(0x0a);
  const next = bytes.subarray(end + 1);
  if (
    end === -1 ||
    likeness(bytes.subarray(0, end), maxBytes) === 0 ||
    !/\S/.test(Buffer.from(next.subarray(0, 100)).toString())
  )
    return null;
  return {
    what: "The first line is a message by itself: these are several messages, one a line.",
    todo: "Decode each line: `sinkwire decode --ndjson`, or `sinkwire explain --line N` for one of them.",
    inner: bytes.subarray(0, end),
  };
};

const cutOff: Look = (bytes) => {
  const limit = KNOWN_LIMITS.get(bytes.length);
  return limit === undefined
    ? null
    : {
        what: `It is exactly ${bytes.length} bytes long: ${limit}. Something in between may have cut it.`,
        todo: "Lower the producer's maxBytes below that limit; larger bodies then go to the claim check.",
      };
};

const LOOKS: readonly Look[] = [
  empty,
  byteOrderMark,
  wideText,
  schemaRegistry,
  glueRegistry,
  compressed,
  otherCharset,
  dressed,
  form,
  several,
  markup,
  cutOff,
  otherFormat,
];

function startsWith(bytes: Uint8Array, ...first: readonly number[]): boolean {
  return bytes.length >= first.length && first.every((byte, i) => bytes[i] === byte);
}

/** The first field of a form that holds a JSON object. */
function formField(text: string): Uint8Array | null {
  if (!FORM.test(text)) return null;
  const value = text
    .split("&")
    .map((field) => field.slice(field.indexOf("=") + 1))
    .find((each) => /^(?:%7B|\{)/i.test(each));
  return value === undefined ? null : percentDecoded(value);
}

function percentDecoded(text: string): Uint8Array | null {
  try {
    return Buffer.from(decodeURIComponent(text.replaceAll("+", " ")));
  } catch {
    return null;
  }
}
