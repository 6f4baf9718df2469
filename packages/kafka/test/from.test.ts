import { describe, expect, test } from "vitest";
import { expectReader, unreadable } from "../../delivery/test/expect-reader.js";
import { type ConsumedKafkaRecord, type FromKafkaOptions, fromKafka, toKafka } from "../src/index.js";

const { value, headers } = toKafka(
  { id: "evt_1", source_id: "orders", tenant_id: "acme", received_at: 0, body: Buffer.from("body") },
  { replay_id: "r-ü" },
);
const pairs = Object.entries(headers);
const signed = (text: string): number[] => [...new Int8Array(Buffer.from(text))];

const shapes: readonly [string, ConsumedKafkaRecord, FromKafkaOptions?][] = [
  ["kafkajs", { value, headers: Object.fromEntries(pairs.map(([name, text]) => [name, Buffer.from(text)])) }],
  [
    "kafkajs, every header twice",
    { value, headers: Object.fromEntries(pairs.map(([name, text]) => [name, [text, Buffer.from(text)]])) },
  ],
  [
    "@platformatic/kafka, Buffers",
    { value, headers: new Map(pairs.map(([name, text]) => [Buffer.from(name), Buffer.from(text)])) },
  ],
  ["@platformatic/kafka, text", { value, headers: new Map(pairs) }],
  ["@platformatic/kafka, as JSON", { value: value.toString(), headers: [...new Map(pairs)] }],
  ["Confluent's client", { value, headers: pairs.map(([name, text]) => ({ [name]: Buffer.from(text) })) }],
  ["Confluent's client, text", { value, headers: pairs.map(([name, text]) => ({ [name]: text })) }],
  ["Confluent's client, one object", { value, headers: [headers] }],
  [
    "a function trigger",
    { value: value.toString("base64"), headers: pairs.map(([name, text]) => ({ [name]: signed(text) })) },
    { base64: true },
  ],
];

describe("fromKafka", () => {
  test.for(shapes)("reads a record of %s", ([, record, options]) => {
    expect(fromKafka(record, options)).toMatchObject({
      kind: "message",
      message: { id: "evt_1", tenant_id: "acme" },
      metadata: { id: "evt_1", source_id: "orders", tenant_id: "acme", replay_id: "r-ü", problems: [] },
      bytes: value,
    });
  });

  test("signed bytes occur in the shapes above", () => {
    expect(signed("r-ü").some((byte) => byte < 0)).toBe(true);
  });

  test.for([undefined, null, [], {}, 5, "x", [null], [5], [["ankusa_id"]]])(
    "reads a message beside headers %o",
    (given) => {
      expect(fromKafka({ value, headers: given })).toMatchObject({ kind: "message", metadata: { id: null } });
    },
  );

  test("repeated headers that differ refuse an identity and take the last of any other", () => {
    const repeated = (name: string): unknown => [...pairs.map(([own, text]) => ({ [own]: text })), { [name]: "other" }];
    expect(fromKafka({ value, headers: repeated("ankusa_source_id") })).toMatchObject({
      kind: "invalid",
      error: { code: "metadata_mismatch", field: "source_id" },
    });
    expect(fromKafka({ value, headers: repeated("ankusa_replay_id") })).toMatchObject({
      kind: "message",
      metadata: { replay_id: "other", problems: [{ name: "ankusa_replay_id", problem: "repeated" }] },
    });
  });

  test("a null value is a tombstone", () => {
    expect(fromKafka({ value: null, headers })).toMatchObject({ kind: "tombstone", metadata: { id: "evt_1" } });
    expect(fromKafka({ value: null }, { base64: true }).kind).toBe("tombstone");
  });

  test("base64 is not guessed", () => {
    const text = value.toString("base64");
    expect(fromKafka({ value: text })).toMatchObject({ kind: "invalid", error: { code: "invalid_json" } });
    expect(fromKafka({ value }, { base64: true })).toMatchObject({ kind: "invalid", error: { code: "invalid_json" } });
  });

  test("reads whatever was delivered, and refuses options that cannot be used", () =>
    expectReader(fromKafka, {
      ...{ record: { value, headers }, body: "value", none: [null, "x", { headers }] },
      unusable: [
        ["base64", { base64: "true" }],
        ["base64", { base64: 1 }],
      ],
    }));

  test("headers that cannot be read are no metadata, and a record that is none keeps its metadata", () => {
    const given = Object.defineProperty({ value }, "headers", { get: unreadable });
    expect(fromKafka(given)).toMatchObject({ kind: "message", metadata: { id: null } });
    expect(fromKafka({ headers })).toMatchObject({ kind: "invalid", metadata: { id: "evt_1" } });
  });

  test("what is no base64 is kept as it came", () => {
    for (const text of ["e31=", "{}", "\ud800"]) {
      expect(fromKafka({ value: text }, { base64: true })).toMatchObject({ kind: "invalid", bytes: Buffer.from(text) });
    }
    expect(fromKafka({ value }, { base64: true })).toMatchObject({ kind: "invalid", bytes: value });
  });
});
