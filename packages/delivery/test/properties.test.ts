import { attributesSet, headersSet, isSinkwireError } from "@sinkwire/message";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bytes, encoded, encodedBytes, text, utf16 } from "../../message/test/arbitraries.js";
import { mutationsOf } from "../../message/test/mutations.js";
import { readDelivery } from "../src/index.js";

const IDENTITY = ["id", "source_id", "tenant_id", "idempotency_key"] as const;
const setOf = fc.constantFrom(headersSet, attributesSet);

describe("readDelivery", () => {
  test("reads a message beside either of its own metadata sets, in any order and among foreign names", () => {
    const foreign = fc.array(
      fc.tuple(
        text.filter((name) => !/^(ankusa_|trace|content_type)/.test(name)),
        text,
      ),
    );
    fc.assert(
      fc.property(encoded, setOf, foreign, fc.nat(), ({ given, publish, message }, set, others, turn) => {
        const pairs = [...set(given, publish), ...others];
        const start = turn % pairs.length;
        const read = readDelivery([...pairs.slice(start), ...pairs.slice(0, start)], message.bytes);
        expect(read).toMatchObject({
          kind: "message",
          message: { id: given.id },
          metadata: { id: given.id, problems: [] },
        });
        expect(read.kind === "message" && read.bytes).toBe(message.bytes);
        expect(read.metadata.tenant_id).toBe(given.tenant_id || null);
        expect(read.metadata.replay_id).toBe(publish.replay_id || null);
      }),
    );
  });

  test("one identity name with another value refuses the message by its field, unless metadata is ignored", () => {
    fc.assert(
      fc.property(
        encoded,
        setOf,
        fc.constantFrom(...IDENTITY),
        text,
        ({ given, publish, message }, set, field, value) => {
          const name = `ankusa_${field}`;
          const pairs = set(given, publish);
          const own = pairs.find(([other]) => other === name)?.[1] ?? "";
          fc.pre(value !== "" && value !== own);
          const altered = [...pairs.filter(([other]) => other !== name), [name, value]];
          const mismatch = { kind: "invalid", error: { code: "metadata_mismatch", field, retryable: false } };
          expect(readDelivery(altered, message.bytes)).toMatchObject(mismatch);
          const added = readDelivery([...pairs, [name, value]], message.bytes);
          expect(added).toMatchObject(mismatch);
          expect(readDelivery(altered, message.bytes, { metadata: "ignore" }).kind).toBe("message");
        },
      ),
    );
  });

  test("stripped metadata never refuses", () => {
    fc.assert(
      fc.property(encoded, setOf, fc.array(fc.nat(10)), ({ given, publish, message }, set, dropped) => {
        const pairs = set(given, publish).filter((_, index) => !dropped.includes(index));
        expect(readDelivery(pairs, message.bytes).kind).toBe("message");
      }),
    );
  });

  test("text is read as its UTF-8, and kept so", () => {
    fc.assert(
      fc.property(encoded, ({ message }) => {
        const read = readDelivery(null, Buffer.from(message.bytes).toString());
        expect(read).toMatchObject({ kind: "message", bytes: Buffer.from(message.bytes) });
      }),
    );
    const illFormed = readDelivery(null, "{\ud800}");
    expect(illFormed).toMatchObject({ kind: "invalid", bytes: Buffer.from("{\ufffd}") });
  });

  test.for([5, true, {}, [], new Date(0), new Uint16Array(2), Symbol("s")])(
    "%o is no body: invalid, without bytes",
    (body) => {
      const read = readDelivery(null, body as never);
      expect(read).toMatchObject({ kind: "invalid", error: { code: "invalid_json" } });
      expect(read.kind === "invalid" && read.bytes).toEqual(new Uint8Array());
    },
  );

  test("options are checked before the delivery, a tombstone too; null is none", () => {
    for (const [field, options] of [
      ["options", 5],
      ["options", ["verify"]],
      ["max_bytes", { maxBytes: -1 }],
      ["max_bytes", { maxBytes: 1.5 }],
      ["metadata", { metadata: "Verify" }],
      ["metadata", { metadata: "" }],
    ] as const) {
      for (const body of [null, Buffer.from("{}")]) {
        const read = () => readDelivery(null, body, options as never);
        expect(read).toThrow(expect.objectContaining({ code: "invalid_hook", field }));
      }
    }
    for (const options of [null, undefined, { maxBytes: null, metadata: null }]) {
      expect(readDelivery(null, null, options).kind).toBe("tombstone");
    }
  });

  test("never throws, whatever was delivered", () => {
    const value = fc.oneof(text, utf16, bytes, fc.anything());
    const pairs = fc.oneof(
      fc.array(fc.tuple(fc.oneof(fc.constantFrom(...IDENTITY.map((f) => `ankusa_${f}`)), text), value)),
      fc.anything(),
    );
    const body = fc.oneof(mutationsOf(encodedBytes), encodedBytes, bytes, fc.constantFrom(null, undefined));
    fc.assert(
      fc.property(pairs, body, (metadata, delivered) => {
        const read = readDelivery(metadata, delivered);
        expect(read.kind === "tombstone").toBe(delivered === null || delivered === undefined);
        if (read.kind === "invalid") expect(isSinkwireError(read.error) && !read.error.retryable).toBe(true);
        if (read.kind !== "tombstone") expect(read.bytes).toBe(delivered);
      }),
      { numRuns: 500 },
    );
  });
});
