import { describe, expect, it } from "vitest";
import { readMetadata } from "../src/index.js";

const unreadable = { id: null, problems: [{ name: "ankusa_id", problem: "unreadable" }] };

describe("readMetadata, with the attributes of SQS and SNS", () => {
  it.each([
    [{ DataType: "String", StringValue: "evt_1" }],
    [{ DataType: "String.label", StringValue: "evt_1" }],
    [{ Type: "String", Value: "evt_1" }],
  ])("reads %j", (value) => {
    expect(readMetadata({ ankusa_id: value })).toMatchObject({ id: "evt_1", problems: [] });
  });

  it.each([
    [{ DataType: "Binary", BinaryValue: Buffer.from("evt_1") }],
    [{ DataType: "Binary.png", StringValue: "evt_1" }],
    [{ Type: "Binary", Value: "ZXZ0XzE=" }],
    [{ DataType: "String", StringValue: Buffer.from("evt_1") }],
    [{ StringValue: "evt_1" }],
    [{ DataType: "String" }],
    [{ Type: "String", Value: null }],
    [{}],
  ])("takes %j for unreadable", (value) => {
    expect(readMetadata({ ankusa_id: value })).toMatchObject(unreadable);
  });

  it("takes an empty text for absent", () => {
    expect(readMetadata({ ankusa_id: { DataType: "String", StringValue: "" } })).toMatchObject({
      id: null,
      problems: [],
    });
  });
});

describe("readMetadata, with containers of every kind", () => {
  const expected = { id: "evt_1", tenant_id: "acme", problems: [] };

  it.each([
    [
      "a Map",
      new Map<string, unknown>([
        ["ankusa_id", "evt_1"],
        ["ankusa_tenant_id", Buffer.from("acme")],
      ]),
    ],
    ["an object", { ankusa_id: "evt_1", ankusa_tenant_id: ["acme", "acme"] }],
    [
      "an object without a prototype",
      Object.assign(Object.create(null), { ankusa_id: "evt_1", ankusa_tenant_id: "acme" }),
    ],
    [
      "pairs",
      [["ankusa_id", [101, 118, 116, 95, 49]], ["ankusa_tenant_id", "acme"], ["ANKUSA_ID", "x"], "noise", null],
    ],
  ])("reads %s", (_name, metadata) => {
    expect(readMetadata(metadata)).toMatchObject(expected);
  });

  it.each([null, undefined, 5, "ankusa_id", Symbol("x"), () => "x"])("finds nothing in %o", (metadata) => {
    expect(readMetadata(metadata)).toMatchObject({ id: null, problems: [] });
  });
});
