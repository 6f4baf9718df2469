import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { deflateSync, gzipSync } from "node:zlib";
import { type ConformanceCase, loadSuite } from "@sinkwire/conformance";
import { tryDecodeMessage } from "@sinkwire/message";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { explainBytes } from "../src/explain/explain-bytes.js";
import { findInvalidUtf8 } from "../src/explain/place.js";
import { scanJson } from "../src/explain/scan-json.js";
import { sinkwire } from "./command.js";
import { altered, message } from "./messages.js";

const MAX_BYTES = 1 << 26;
const explain = (input: Uint8Array | string) => explainBytes(Buffer.from(input), MAX_BYTES);
const text = message().toString();
const base64 = message().toString("base64");
const json = (value: unknown): string => JSON.stringify(value);

describe("what is wrapped around a message is named, and the message inside is found", () => {
  test.for([
    ["a schema registry's framing", /schema id 42, 5 bytes/, Buffer.concat([Buffer.from([0, 0, 0, 0, 42]), message()])],
    [
      "an 8-byte schema id",
      /schema id 42, 9 bytes/,
      Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 42]), message()]),
    ],
    ["AWS Glue's framing", /AWS Glue/, Buffer.concat([Buffer.from([3, 0]), Buffer.alloc(16, 7), message()])],
    ["a byte order mark", /byte order mark/, `\ufeff${text}`],
    ["UTF-16 with a mark", /UTF-16, little endian/, Buffer.from(`\ufeff${text}`, "utf16le")],
    ["UTF-16 without one", /UTF-16, little endian/, Buffer.from(text, "utf16le")],
    ["UTF-16, big endian", /UTF-16, big endian/, Buffer.from(text, "utf16le").swap16()],
    ["Windows-1252", /Windows-1252/, Buffer.from(message({ source_id: "caf\u00e9" }).toString(), "latin1")],
    ["gzip", /gzip/, gzipSync(message())],
    ["zlib", /zlib/, deflateSync(message())],
    ["base64", /is base64/, base64],
    ["base64 in lines", /is base64/, `${base64.replace(/.{76}/g, "$&\r\n")}\n`],
    ["hexadecimal", /hexadecimal/, message().toString("hex")],
    ["escaped quotes", /quotes are escaped/, json(text).slice(1, -1)],
    ["HTML entities", /HTML entities/, text.replaceAll('"', "&quot;")],
    ["a form field", /percent-encoded/, `payload=${encodeURIComponent(text)}`],
    ["a field of a form", /percent-encoded/, `token=a%20b&payload=${encodeURIComponent(text)}&ok=`],
    ["a guard against scripts", /guard against inclusion/, `)]}',\n${text}`],
    ["another such guard", /guard against inclusion/, `for (;;); ${text}`],
    ["Python's bytes", /repr\(\) of bytes/, `b'${text}'`],
    ["an event stream", /server-sent/, `data: ${text}\n\n`],
    ["double encoding", /JSON twice/, json(text)],
    ["a list", /array; a message stands under \[0\]/, `[${text}]`],
    ["SNS", /SNS notification.*under Message\b/, json({ Type: "Notification", TopicArn: "arn", Message: text })],
    ["EventBridge", /EventBridge.*under detail\b/, json({ "detail-type": "hook", detail: JSON.parse(text) })],
    ["Pub/Sub push", /Pub\/Sub.*under message\.data/, json({ message: { data: base64 }, subscription: "s" })],
    [
      "SQS in a Lambda",
      /Lambda.*under Records\[0\]\.body/,
      json({ Records: [{ eventSource: "aws:sqs", body: text }] }),
    ],
    [
      "Kinesis in a Lambda",
      /Lambda.*kinesis\.data/,
      json({ Records: [{ eventSource: "aws:kinesis", kinesis: { data: base64 } }] }),
    ],
    [
      "Kafka in a Lambda",
      /Kafka.*records\.t-0\[0\]\.value/,
      json({ eventSource: "aws:kafka", records: { "t-0": [{ value: base64 }] } }),
    ],
    ["ReceiveMessage", /ReceiveMessage.*Messages\[0\]\.Body/, json({ Messages: [{ Body: text }] })],
    [
      "SNS in SQS",
      /SQS gives it/,
      json({ Body: json({ Type: "Notification", TopicArn: "a", Message: text }), ReceiptHandle: "r" }),
    ],
    ["a CloudEvent", /CloudEvent.*under data_base64/, json({ specversion: "1.0", data_base64: base64 })],
    ["Kafka Connect", /JsonConverter.*under payload/, json({ schema: { type: "string" }, payload: text })],
    ["kcat -J", /kcat -J/, json({ topic: "t", offset: 1, payload: text })],
    ["RabbitMQ's API", /management API/, json([{ payload: text, payload_encoding: "string" }])],
    ["a Buffer", /Buffer/, json(message())],
    ["something unknown", /envelope; a message stands under a\.b/, json({ a: { b: text } })],
    ["several messages", /several messages, one a line/, `${text}\n${text}\n`],
  ] as const)("%s", ([, what, input]) => {
    const { verdict, causes, inner } = explain(input);
    expect(verdict).toBe("refused");
    expect(causes[0]?.what).toMatch(what);
    expect(causes[0]?.todo).not.toBe("");
    if (!String(what).includes("SQS gives it")) expect(inner?.verdict).toBe("message");
  });

  test("one in the other, down to the message", () => {
    const sns = json({ Type: "Notification", TopicArn: "a", Message: base64 });
    const outer = explain(gzipSync(sns));
    expect(outer.causes[0]?.what).toContain("gzip");
    expect(outer.inner?.causes[0]?.what).toContain("SNS");
    expect(outer.inner?.inner?.verdict).toBe("message");
  });

  test("a bomb is not unpacked", () => {
    const bomb = gzipSync(Buffer.alloc(1 << 24));
    const { causes, inner } = explainBytes(bomb, 1 << 20);
    expect(causes[0]?.what).toContain("over the size limit");
    expect(inner).toBeNull();
  });
});

describe("what else is no message is named", () => {
  test.for([
    ["nothing", /no bytes at all/, ""],
    ["white space", /nothing but white space/i, " \n"],
    ["a web page", /HTML or XML/, "<!doctype html>"],
    ["a form", /x-www-form-urlencoded/, "token=abc&text=hello+there&empty="],
    ["zstd", /zstd/, Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0])],
    ["MessagePack", /MessagePack/, Buffer.from([0x81, 0xa1, 0x76, 1])],
    ["an Avro file", /Avro/, "Obj\u0001"],
    ["a provider's payload", /never encoded/, '{"action":"opened"}'],
    [
      "bytes cut at a limit",
      /exactly 262144 bytes/,
      message({ body: Buffer.alloc(300_000) }, { inlineMaxBytes: 1e6 }).subarray(0, 262_144),
    ],
  ] as const)("%s", ([, what, input]) => {
    const { verdict, causes } = explain(input);
    expect(verdict).toBe("refused");
    expect(causes.map((cause) => cause.what).join("\n")).toMatch(what);
  });
});

describe("bytes that are no characters are shown where they stand", () => {
  const put = (bytes: readonly number[], around = "") => {
    const whole = message({ source_id: `${around}@@` });
    const at = whole.indexOf("@@");
    return { at, bytes: Buffer.concat([whole.subarray(0, at), Buffer.from(bytes), whole.subarray(at + 2)]) };
  };

  test.for([
    ["a cut character", [0xe2, 0x82], "é", /stands E2 82: the beginning of a character/],
    ["a cut character alone", [0xe2, 0x82], "", /stands E2 82: the beginning of a character/],
    ["a cut character of four bytes", [0xf0, 0x9f, 0x98], "", /stands F0 9F 98: the beginning of a character/],
    ["CESU-8", [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80], "é", /stands ED A0 BD ED B8 80: half a surrogate pair/],
    ["CESU-8 alone", [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80], "", /surrogate pair/],
    ["an overlong form", [0xc0, 0xaf], "é", /stands C0 AF: an overlong form/],
    ["an overlong form alone", [0xe0, 0x80, 0xaf], "", /stands E0 80 AF: an overlong form/],
    ["the end of a character", [0x82], "é", /stands 82: the rest of a character/],
    ["one byte of Latin-1 among UTF-8", [0xe9], "é", /stands E9: no character/],
  ] as const)("%s", ([, broken, around, what]) => {
    const { at, bytes } = put(broken, around);
    const { refusal, causes } = explain(bytes);
    expect(refusal?.place?.byte).toBe(at);
    expect(causes[0]?.what).toMatch(what);
    expect(causes[0]?.what).toContain(`offset ${at} `);
    expect(json(causes)).not.toContain("Windows-1252");
  });

  test("a cut at the end of the bytes", () => {
    const { causes } = explain(Buffer.concat([Buffer.from('{"v": "é'), Buffer.from([0xc3])]));
    expect(causes[0]?.what).toMatch(/offset 9 stands C3: the beginning/);
  });
});

describe("a wrong cause is not named", () => {
  test("v alone is missing", () => {
    expect(explain(altered({ v: undefined })).causes[0]?.what).toMatch(/There is no v/);
  });

  test.for(['"hello"', '"aGVsbG8="', '""', '"\\"hello"'])("%s is a string, not a message encoded twice", (input) => {
    expect(explain(input).causes[0]?.what).toBe("It is JSON, but a string.");
  });
});

describe("a fault of the JSON is found where it is", () => {
  test.for([
    ['{"v": 1,}', 8, "1.2-6", /last comma/],
    ['{"v": NaN}', 6, "1.2-6", /no NaN/],
    ["{'v': 1}", 1, "1.2-6", /double quotes/],
    ["{v: 1}", 1, "1.2-6", /double quotes/],
    ['{"v": True}', 6, "1.2-6", /json\.dumps/],
    ['{"v": 01}', 7, "1.2-6", /leading zeros/],
    ['{"v": 1} // x', 9, "1.2-6", /no comments/],
    ['{"v": 1} {}', 9, "1.2-7", /each on its own/],
    ['{"v": "a\nb"}', 8, "1.2-6", /Escape it/],
    ['{"v": "\\x"}', 7, "1.2-6", /JSON knows/],
    ['{"v": 1', 7, "1.2-6", /cut off/],
    ['{"v": "abc', 6, "1.2-6", /cut off/],
    ['{"é": {"a": 1, "\\u0061": 2}}', 16, "1.2-8", /write the name once/],
    ['{"v": "\\ud800"}', 6, "1.2-9", /character in two/],
    [`${"[".repeat(65)}`, 64, "1.2-10", /in the body/],
  ] as const)("%s at byte %i by rule %s", ([input, byte, rule, todo]) => {
    const { refusal, causes } = explain(input);
    expect(refusal).toMatchObject({ code: "invalid_json", rule, place: { byte } });
    expect(causes.at(-1)?.todo).toMatch(todo);
  });

  test("with its line and column, and the path of its value", () => {
    const line = '  "headers": {"é": [1, oops]}';
    const input = `{\n  "v": 1,\n${line}\n}`;
    const { refusal } = explain(input);
    const before = input.slice(0, input.indexOf("oops"));
    expect(refusal?.place).toEqual({ line: 3, column: line.indexOf("oops") + 1, byte: Buffer.byteLength(before) });
    expect(refusal?.path).toBe("headers.é[1]");
  });

  test("and the first place of a name that stands twice", () => {
    expect(explain('{"a": 1, "a": 2}').refusal?.reason).toContain("first time at byte 1");
  });
});

describe("a fault of a field is explained", () => {
  const body = '{"action": "opened"}';
  const sha256 = (of: string): string => createHash("sha256").update(of).digest("hex");
  const claim = "urn:ankusa:claim:v1:acme:01M39VMD8RA3C5HR4RBV67Y002";
  const asClaim = (changes: object): Buffer => altered({ body_base64: undefined, claim, ...changes });

  test.for([
    ["v", /v is text/, altered({ v: "1" })],
    ["v", /version 3/, altered({ v: 3 })],
    ["v", /there is "version"/, altered({ v: undefined, version: 1 })],
    ["id", /It is empty/, altered({ id: "" })],
    ["id", /a number: 7/, altered({ id: 7 })],
    ["source_id", /there is "sourceId"/, altered({ source_id: undefined, sourceId: "x" })],
    ["received_at", /date as text/, altered({ received_at: "2025-01-21T22:53:20Z" })],
    ["received_at", /number in quotes/, altered({ received_at: "1737500000000" })],
    ["received_at", /seconds with a fraction/, altered({ received_at: 1_737_500_000.25 })],
    ["received_at", /over 2\^53/, altered({ received_at: 1_737_500_000_000_000_000 })],
    ["size", /negative/, altered({ size: -1 })],
    ["tenant_id", /a number: 12/, altered({ tenant_id: 12 })],
    ["verification", /It is a string/, altered({ verification: "ok" })],
    ["verification", /Its status is "OK"/, altered({ verification: { status: "OK", flagged: false } })],
    ["verification", /Its flagged is a string/, altered({ verification: { status: "ok", flagged: "no" } })],
    ["headers", /It is null/, altered({ headers: null })],
    ["headers", /It is a list/, altered({ headers: [["a", "b"]] })],
    ["headers", /value of "a" is an array/, altered({ headers: { a: ["b"] } })],
    ["sha256", /upper case/, altered({ sha256: sha256(body).toUpperCase() })],
    ["sha256", /white space/, altered({ sha256: `${sha256(body)}\n` })],
    ["sha256", /prefix/, altered({ sha256: `sha256=${sha256(body)}` })],
    ["sha256", /in base64/, altered({ sha256: createHash("sha256").update(body).digest("base64") })],
    ["sha256", /SHA-1/, altered({ sha256: createHash("sha1").update(body).digest("hex") })],
    ["sha256", /There is no sha256/, asClaim({ sha256: undefined })],
    ["claim", /URL/, asClaim({ claim: "https://claims.example.test/1" })],
    ["claim", /white space/, asClaim({ claim: `${claim}\n` })],
    ["claim", /UUID/, asClaim({ claim: "urn:ankusa:claim:v1:acme:123e4567-e89b-12d3-a456-426614174000" })],
    ["claim", /lowercase/, asClaim({ claim: claim.replace("RA3C", "ra3c") })],
    ["claim", /letter O/, asClaim({ claim: claim.replace("Y002", "YOO2") })],
    ["claim", /Its version is "v3"/, asClaim({ claim: claim.replace("v1", "v3") })],
    ["claim", /Its tenant is "a b"/, asClaim({ claim: claim.replace("acme", "a b") })],
    ["claim", /1 further parts/, asClaim({ claim: `${claim}:1` })],
    ["claim", /only the case differs/, asClaim({ tenant_id: "ACME" })],
    ["claim", /never both/, altered({ claim })],
    ["body_base64", /There is "payload"/, altered({ body_base64: undefined, payload: "x" }), null],
    ["body_base64", /Character 3 of it \(-\)/, altered({ body_base64: "ab-_" })],
    ["body_base64", /a newline/, altered({ body_base64: "YWJj\nYWJj" })],
    ["body_base64", /padding \(=\) is missing/, altered({ body_base64: "YWI" })],
    ["body_base64", /unused bits/, altered({ body_base64: "YWJ=" })],
    ["body_base64", /body itself/, altered({ body_base64: body })],
    ["body_base64", /an object/, altered({ body_base64: { type: "Buffer", data: [1] } })],
    ["size", /counts the base64/, altered({ size: Buffer.from(body).toString("base64").length })],
    ["size", /counts characters/, altered({ body_base64: Buffer.from("é").toString("base64"), size: 1 })],
    ["size", /base64 twice/, altered({ body_base64: Buffer.from("YWJj").toString("base64"), size: 3 })],
    ["size", /5 bytes are missing/, altered({ size: body.length + 5 })],
    ["sha256", /of the base64 text/, altered({ sha256: sha256(Buffer.from(body).toString("base64")) })],
    ["sha256", /written compactly/, altered({ sha256: sha256('{"action":"opened"}') })],
    ["sha256", /with a newline/, altered({ sha256: sha256(`${body}\n`) })],
    ["sha256", /of nothing/, altered({ sha256: sha256("") })],
    ["sha256", new RegExp(`The body's digest is ${sha256(body)}`), altered({ sha256: sha256("other") })],
  ] as const)("%s: %s", ([path, what, input]) => {
    const { verdict, refusal, causes } = explain(input);
    expect(verdict).toBe("refused");
    expect(causes[0]?.what).toMatch(what);
    const fields = JSON.parse(input.toString());
    if (refusal?.code === "missing_body") return;
    expect(refusal?.path).toBe(path);
    const at = refusal?.place?.byte;
    if (Object.hasOwn(fields, path))
      expect(input.subarray(at).toString().startsWith(json(fields[path]).slice(0, 20))).toBe(true);
    else expect(at).toBeUndefined();
  });
});

describe("a good message", () => {
  test("is described without a note when nothing is unusual", () => {
    const { verdict, facts, notes } = explain(message({ dedupe_key: "d" }));
    expect(verdict).toBe("message");
    expect(Object.fromEntries(facts)).toMatchObject({
      id: "evt_1",
      "idempotency key": "acme:github:d",
      verification: "ok",
    });
    expect(notes).toEqual([]);
  });

  test.for([
    [/flagged/, message({ verification: { status: "failed", flagged: true } })],
    [/seconds instead of milliseconds/, message({ received_at: 1_737_500_000 })],
    [/no sha256/, altered({ sha256: undefined })],
    [/"SHA256" is unknown.*looks like sha256/, altered({ SHA256: "x" })],
    [/not the one that its fields give/, altered({ idempotency_key: "other" })],
    [/not the canonical/, Buffer.from(JSON.stringify(JSON.parse(text), null, 1))],
    [/the body is no JSON/, message({ body: Buffer.from("no") })],
    [/gzip/, message({ body: gzipSync("x") })],
    [/replay/, altered({ replay_id: "r" })],
  ] as const)("is described with a note: %s", ([note, input]) => {
    const { verdict, notes } = explain(input);
    expect(verdict).toBe("message");
    expect(notes.join("\n")).toMatch(note);
  });
});

describe("explanations agree with the decoder", () => {
  const rules = readFileSync(fileURLToPath(new URL("../../../conformance/README.md", import.meta.url)), "utf8");
  const cases: readonly ConformanceCase[] = loadSuite().cases.filter(
    ({ operation, retired, input }) =>
      operation === "decode_message" && retired === undefined && input["max_bytes"] === undefined,
  );

  test("on every decode vector, with a rule that exists and a place in the bytes", () => {
    expect(cases.length).toBeGreaterThan(0);
    for (const { id, input, expect: expected } of cases) {
      const bytes = Buffer.from(String(input["bytes_base64"]), "base64");
      const { verdict, refusal } = explain(bytes);
      if (expected.error === undefined) {
        expect([id, verdict]).toEqual([id, "message"]);
        continue;
      }
      expect([id, refusal?.code, refusal?.field]).toEqual([id, expected.error.code, expected.error.field]);
      expect(rules).toContain(`**${refusal?.rule}**`);
      expect(refusal?.place?.byte ?? 0).toBeLessThanOrEqual(bytes.length);
    }
  });

  test("on any text: a fault of the JSON is found exactly where the decoder refuses the JSON", () => {
    const pieces = fc.constantFrom(
      '{"',
      '"',
      ":",
      ",",
      "{",
      "}",
      "[",
      "]",
      "a",
      "\\",
      "u",
      "d800",
      "1",
      "0",
      "-",
      ".",
      "e",
      " ",
      "\n",
      "null",
      "true",
      "é",
    );
    const mutated = fc
      .tuple(fc.nat(text.length), fc.nat(3), fc.array(pieces, { maxLength: 3 }))
      .map(([at, length, put]) => text.slice(0, at) + put.join("") + text.slice(at + length));
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(pieces).map((all) => all.join("")),
          fc.json(),
          mutated,
        ),
        (input) => {
          const result = tryDecodeMessage(input);
          expect(scanJson(input).fault !== null).toBe(!result.ok && result.error.code === "invalid_json");
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test("on any bytes: invalid UTF-8 begins where the longest valid beginning ends", () => {
    const valid = (bytes: Uint8Array): boolean => {
      try {
        new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
        return true;
      } catch {
        return false;
      }
    };
    const bytes = fc.oneof(
      fc.uint8Array(),
      fc
        .array(fc.constantFrom(0xf0, 0x90, 0x80, 0xed, 0xa0, 0xe0, 0xc2, 0x41, 0xf4, 0x8f))
        .map((all) => Uint8Array.from(all)),
    );
    fc.assert(
      fc.property(bytes, (input) => {
        const at = findInvalidUtf8(input);
        expect(at === null).toBe(valid(input));
        if (at !== null) expect(valid(input.subarray(0, at))).toBe(true);
      }),
    );
  });

  test("on anything else: nothing but an explanation comes out", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.json().map((value) => Buffer.from(value)),
          fc.jsonValue().map((value) => altered({ headers: value, claim: value })),
        ),
        (input) => {
          expect(["message", "refused"]).toContain(explain(input).verdict);
        },
      ),
    );
  });
});

describe("sinkwire explain", () => {
  test("shows reason, place, rule, cause and what to do", async () => {
    const { code, stdout } = await sinkwire(["explain"], altered({ received_at: "2025-01-21T22:53:20Z" }));
    expect(code).toBe(1);
    const shown = stdout.toString();
    for (const part of [
      "invalid_field (received_at)",
      "line 1, column",
      "1.2-14",
      "→ Write Unix milliseconds: 1737500000000",
      "^",
    ]) {
      expect(shown).toContain(part);
    }
  });

  test("--json writes the same for machines; --line picks a line", async () => {
    const { code, stdout } = await sinkwire(["explain", "--json", "--line", "2"], `${text}\n{"v": 1}\n`);
    expect(code).toBe(1);
    expect(JSON.parse(stdout.toString())).toMatchObject({
      verdict: "refused",
      refusal: { code: "invalid_field", field: "id", rule: "1.2-14", place: null },
    });
    expect((await sinkwire(["explain", "--line", "9"], text)).code).toBe(2);
    expect((await sinkwire(["explain"], text)).code).toBe(0);
  });
});
