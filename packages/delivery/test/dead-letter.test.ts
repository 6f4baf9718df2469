import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bytes, text, utf16 } from "../../message/test/arbitraries.js";
import { DEAD_LETTER_NAMES, deadLetterOf, type MetadataPair, readDelivery } from "../src/index.js";

const NAMES: readonly string[] = Object.values(DEAD_LETTER_NAMES);
const origin = { attempt: 3, address: "orders", pairs: [["ankusa_id", "evt_1"]] as const };

describe("deadLetterOf", () => {
  test("keeps bytes and metadata and says why, which attempt, when and where", () => {
    const body = Buffer.from("no message");
    const foreign = ["x-trace", Buffer.from([0xff])] as const;
    const read = readDelivery([], body);
    const letter = deadLetterOf({ ...read, ...origin, pairs: [foreign, ...origin.pairs] }, "why", {
      atMs: 1_700_000_000_000,
    });
    expect(letter.bytes).toBe(body);
    expect(letter.pairs).toEqual([
      foreign,
      ["ankusa_id", "evt_1"],
      ["sinkwire_dead_reason", "why"],
      ["sinkwire_dead_code", "invalid_json"],
      ["sinkwire_dead_attempt", "3"],
      ["sinkwire_dead_at_ms", "1700000000000"],
      ["sinkwire_dead_address", "orders"],
    ]);
  });

  test("leaves out what is not known", () => {
    const before = Date.now();
    const letter = deadLetterOf({ ...origin, attempt: null }, "why");
    expect(letter.bytes).toBeNull();
    expect(letter.pairs.map(([name]) => name)).toEqual([
      "ankusa_id",
      "sinkwire_dead_reason",
      "sinkwire_dead_at_ms",
      "sinkwire_dead_address",
    ]);
    const atMs = Number(new Map(letter.pairs).get(DEAD_LETTER_NAMES.atMs));
    expect(atMs).toBeGreaterThanOrEqual(before);
    expect(atMs).toBeLessThanOrEqual(Date.now());
  });

  test("a code that is given stands before that of the read", () => {
    const delivery = { ...readDelivery([], Buffer.from("{}")), ...origin };
    expect(deadLetterOf(delivery, "why", { code: "own" }).pairs).toContainEqual(["sinkwire_dead_code", "own"]);
  });

  test("fifty hops with any reasons do not make it grow: the last one's are there, once", () => {
    const hop = fc.record({
      reason: fc.oneof(utf16, text, fc.constant("x".repeat(2_000)), fc.constant("\u{1f600}".repeat(300))),
      code: fc.option(text),
      attempt: fc.option(fc.nat()),
      address: text,
    });
    const pairsOf = fc.array(fc.tuple(text, fc.oneof(text, bytes)), { maxLength: 5 });
    fc.assert(
      fc.property(pairsOf, bytes, fc.array(hop, { minLength: 50, maxLength: 50 }), (pairs, body, hops) => {
        const own = pairs.filter(([name]) => !NAMES.includes(name));
        let letter: { bytes: Uint8Array | null; pairs: readonly MetadataPair[] } = { bytes: body, pairs };
        for (const { reason, code, attempt, address } of hops) {
          letter = deadLetterOf({ ...letter, attempt, address }, reason, { code });
          expect(letter.bytes).toBe(body);
          expect(letter.pairs.slice(0, own.length)).toEqual(own);
          const added = letter.pairs.slice(own.length);
          const names = added.map(([name]) => name);
          expect(names).toEqual(NAMES.filter((name) => names.includes(name)));
          expect(names).toContain(DEAD_LETTER_NAMES.reason);
          expect(names.includes(DEAD_LETTER_NAMES.attempt)).toBe(attempt !== null);
          for (const [, value] of added) {
            expect(Buffer.byteLength(value)).toBeLessThanOrEqual(512);
            expect(String(value)).toMatch(/^[^\p{Cc}\ufffe\uffff\ud800-\udfff]+$/u);
            expect(value).toBe(String(value).trim());
          }
        }
      }),
      { numRuns: 20 },
    );
  });

  test.for([
    ["", "rejected"],
    ["\r\n\0 ", "rejected"],
    ["a\r\n\r\nb", "a b"],
    ["lone \ud800", "lone \ufffd"],
    ["x".repeat(600), "x".repeat(512)],
    ["é".repeat(300), "é".repeat(256)],
    [`x${"é".repeat(300)}`, `x${"é".repeat(255)}`],
    [`${"x".repeat(511)}\u{1f600}`, "x".repeat(511)],
  ] as const)("reason %j", ([reason, carried]) => {
    expect(new Map(deadLetterOf(origin, reason).pairs).get(DEAD_LETTER_NAMES.reason)).toBe(carried);
  });

  test("there are five names, the room that the SQS mapping keeps free", () => {
    expect(NAMES).toHaveLength(5);
    expect(new Set(NAMES).size).toBe(5);
  });
});
