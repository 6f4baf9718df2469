import { InvalidHookError, isSinkwireError } from "@sinkwire/message";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { choices, respell, text, walk } from "../../message/test/arbitraries.js";
import {
  addressOption,
  base64Bytes,
  choiceOption,
  encodeFor,
  jsonMembers,
  MAX_ADDRESS_BYTES,
  readBody,
  sha256Form,
  textOption,
} from "../src/adapter/index.js";
import { PublishError } from "../src/index.js";

const hook = { id: "evt_1", source_id: "orders", received_at: 0, body: Buffer.from("body") };

describe("encodeFor", () => {
  test("counts what the transport carries beside the body, once", () => {
    let calls = 0;
    const parts = () => ({ overhead: 7, calls: ++calls });
    const made = encodeFor(hook, null, null, { maxBytes: 1000, parts });
    expect(made.mapped.size).toBe(made.body.length + 7);
    expect(made.parts).toEqual({ overhead: 7, calls: 1 });
    expect(Buffer.isBuffer(made.body)).toBe(true);
    const limit = made.mapped.size;
    expect(encodeFor(hook, null, null, { maxBytes: limit, parts }).mapped.form).toBe("inline");
    expect(() => encodeFor(hook, null, null, { maxBytes: limit - 1, parts })).toThrow("claim");
  });

  test("a given limit replaces the transport's own, whichever is larger", () => {
    const parts = () => ({ overhead: 0 });
    expect(encodeFor(hook, null, { maxBytes: 1000 }, { maxBytes: 1, parts }).mapped.form).toBe("inline");
    expect(() => encodeFor(hook, null, { maxBytes: 1 }, { maxBytes: 1000, parts })).toThrow("limit is 1");
    expect(encodeFor(hook, null, { maxBytes: null }, { maxBytes: 1000, parts }).mapped.form).toBe("inline");
  });

  test.for([5, "x", [], true])("options %o are refused by name, after the hook", (options) => {
    const encode = (given: typeof hook) => () =>
      encodeFor(given, null, options as never, { maxBytes: 1000, parts: () => ({ overhead: 0 }) });
    expect(encode(hook)).toThrow(expect.objectContaining({ code: "invalid_hook", field: "options" }));
    expect(encode({ ...hook, id: "" })).toThrow(expect.objectContaining({ field: "id" }));
  });
});

describe("options", () => {
  test("null, absent and empty text are not given", () => {
    expect([null, undefined, ""].map((value) => textOption(value, "key"))).toEqual([null, null, null]);
    expect(textOption("k", "key")).toBe("k");
  });

  test.for([5, {}, ["a"], "\ud800"])("%o is no text", (value) => {
    expect(() => textOption(value, "key")).toThrow(InvalidHookError);
    expect(() => addressOption(value, "queue_url")).toThrow(expect.objectContaining({ field: "queue_url" }));
  });

  test("an address is counted in bytes", () => {
    const longest = `${"é".repeat(127)}a`;
    expect(Buffer.byteLength(longest)).toBe(MAX_ADDRESS_BYTES);
    expect(addressOption(longest, "subject")).toBe(longest);
    expect(() => addressOption(`${longest}a`, "subject")).toThrow("256");
    expect(() => addressOption("", "subject")).toThrow("empty");
    expect(addressOption("", "exchange", () => null)).toBe("");
    expect(() => addressOption("a", "subject", () => "no")).toThrow("subject: no");
  });
});

test("a choice is one of its words, and null when it was not given", () => {
  expect([null, undefined, "a", "b"].map((value) => choiceOption(value, "mode", ["a", "b"]))).toEqual([
    ...[null, null, "a", "b"],
  ]);
  for (const value of ["", "A", 0, false, ["a"]]) {
    expect(() => choiceOption(value, "mode", ["a", "b"])).toThrow('mode: expected "a" or "b"');
  }
});

test("the sha256 form is the digest of the UTF-8 bytes", () => {
  expect(sha256Form("")).toBe("sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect(sha256Form("é")).toBe("sha256:4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c");
});

describe("readBody", () => {
  const encoded = encodeFor(hook, null, null, { maxBytes: 1000, parts: () => ({ overhead: 0 }) }).body;

  const shape = { pairs: () => [["ankusa_id", "evt_1"]], body: (body: unknown) => body };

  test("reads bytes and text alike", () => {
    expect(readBody(encoded, shape)).toMatchObject({ kind: "message", message: { id: "evt_1" } });
    expect(readBody(encoded.toString(), shape)).toMatchObject({ kind: "message", bytes: encoded });
  });

  test.for([null, undefined])("%o is a tombstone, and never opened", (body) => {
    const open = (): never => expect.unreachable();
    expect(readBody(body, { ...shape, open })).toMatchObject({ kind: "tombstone", metadata: { id: "evt_1" } });
  });

  test.for([5, {}, [1, 2], true, new Uint16Array(2), Symbol("s")])("%o is invalid, not an error", (body) => {
    const invalid = {
      kind: "invalid",
      error: { code: "invalid_json" },
      metadata: { id: "evt_1" },
      bytes: { length: 0 },
    };
    expect(readBody(body, shape)).toMatchObject(invalid);
  });

  test.for(["text", new Error("e"), undefined])("whatever opening throws, such as %o, keeps the body", (thrown) => {
    const open = (): never => {
      throw thrown;
    };
    const read = readBody("x", { ...shape, open });
    expect(read).toMatchObject({ kind: "invalid", metadata: { id: "evt_1" }, bytes: Buffer.from("x") });
    expect(read.kind === "invalid" && read.error.cause).toBe(thrown);
  });

  test("opening replaces body and metadata", () => {
    const open = () => ({ pairs: [["ankusa_id", "evt_2"]], body: encoded });
    expect(readBody("x", { ...shape, open })).toMatchObject({
      ...{ kind: "invalid", error: { code: "metadata_mismatch" }, bytes: encoded },
    });
  });

  test("base64 is canonical", () => {
    expect(base64Bytes(encoded.toString("base64"))).toEqual(encoded);
    for (const text of ["e30", "e31=", " e30=", "e30=\n", "-_==", {}, 5, encoded]) {
      expect(() => base64Bytes(text)).toThrow(expect.objectContaining({ code: "invalid_json" }));
    }
  });
});

describe("jsonMembers", () => {
  const json = fc.dictionary(text, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 });

  test("gives each member's own text, however the object is written", () => {
    fc.assert(
      fc.property(json, choices, (object, numbers) => {
        const written = respell(object, walk(numbers));
        const members = jsonMembers(written);
        expect([...(members ?? [])].map(([name, value]) => [name, JSON.parse(value)])).toEqual(
          Object.entries(JSON.parse(written) as object).sort(byPlaceIn(members)),
        );
        for (const value of members?.values() ?? []) expect(written).toContain(value);
      }),
    );
  });

  test.for([
    ...['{"a":1,"a":2}', '{"a":1,"\\u0061":2}', '{"b":{"a":1,"a":2}}', '{"b":"\\udc00"}', '{"b":"\ud800"}'],
    ...["[]", "null", "5", "", "{", '{"a":1}x', "\ufeff{}"],
  ])("%s is no object of members", (input) => expect(jsonMembers(input)).toBeNull());

  test.for([63, 64, 100_000])("an object over %d lists has at most 64 levels", (lists) => {
    expect(jsonMembers(`{"a":${"[".repeat(lists)}${"]".repeat(lists)}}`) !== null).toBe(lists < 64);
  });

  test("long strings and runs of backslashes stay what they are", () => {
    const value = JSON.stringify('\\"'.repeat(500_000));
    expect(jsonMembers(`{"a":${value},"b":${"[".repeat(63)}${"]".repeat(63)}}`)?.get("a")).toBe(value);
  });
});

/** Integer-like names come first in a JavaScript object, wherever they stand in the text. */
function byPlaceIn(
  members: ReadonlyMap<string, string> | null,
): (a: [string, unknown], b: [string, unknown]) => number {
  const order = [...(members?.keys() ?? [])];
  return ([a], [b]) => order.indexOf(a) - order.indexOf(b);
}

describe("PublishError", () => {
  test("is retryable by its code and keeps outcome, pause and cause", () => {
    const cause = new Error("closed");
    const failed = new PublishError("publish_failed", "no confirm", { outcome: "unknown", retryAfterMs: 5, cause });
    expect(failed).toMatchObject({
      code: "publish_failed",
      retryable: true,
      outcome: "unknown",
      retryAfterMs: 5,
      cause,
    });
    const rejected = new PublishError("publish_rejected", "too large", { outcome: "not_published" });
    expect(rejected).toMatchObject({ retryable: false, retryAfterMs: null, field: null });
    expect(isSinkwireError(rejected, "publish_rejected")).toBe(true);
  });
});
