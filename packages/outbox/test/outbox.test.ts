import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { attemptId, InvalidLaneTupleError, type LaneTuple, laneId, profileHash, retryDelay } from "../src/index.js";

const zero = "0".repeat(64);
const profile = { id: "profile-a", version: "1", hash: zero };
const tuple: LaneTuple = {
  scope: zero,
  adapter: "kafka",
  cluster: "cluster-a",
  resource: { topic_uuid: "0".repeat(32) },
  partition: 3,
  profile,
  capability: { id: "baseline", version: "1", hash: zero },
  ordering: { bucket: 7 },
};

describe("laneId", () => {
  test("never gives one tuple to two lanes: boundaries between names cannot be moved", () => {
    const name = fc.stringMatching(/^[a-c]{1,6}$/);
    fc.assert(
      fc.property(name, name, name, name, (a, b, c, d) => {
        const made = (cluster: string, id: string) => laneId({ ...tuple, cluster, profile: { ...profile, id } }).tuple;
        expect(made(a, b) === made(c, d)).toBe(a === c && b === d);
      }),
    );
  });

  test("throws nothing but its own error, whatever the tuple", () => {
    const fields = Object.keys(tuple);
    fc.assert(
      fc.property(
        fc.constantFrom(...fields, "topic"),
        fc.anything({ withBigInt: true, withNullPrototype: true }),
        (field, value) => {
          try {
            expect(laneId({ ...tuple, [field]: value } as LaneTuple).lane_id).toMatch(/^[0-9a-f]{64}$/);
          } catch (error) {
            expect(error).toBeInstanceOf(InvalidLaneTupleError);
          }
        },
      ),
    );
  });
});

describe("attemptId", () => {
  const attempt = { lane_id: zero, delivery_id: "evt_1", generation: 0, attempt: 1 };

  test("known answer, computed apart", () => {
    expect(attemptId(attempt)).toBe("e126800e30152fe20ea4870b8152e52c9260f091c1417d54f9197f77f57bb00f");
  });

  test("differs in every part", () => {
    const others = [
      { ...attempt, lane_id: "1".repeat(64) },
      { ...attempt, delivery_id: "evt_1:replay:r" },
      { ...attempt, generation: 1 },
      { ...attempt, attempt: 2 },
    ];
    expect(new Set([attempt, ...others].map(attemptId)).size).toBe(5);
  });

  test.for([
    ["lane_id", "00"],
    ["delivery_id", "\ud800"],
    ["generation", -1],
    ["attempt", 0],
  ])("a malformed %s is named", ([field, value]) => {
    expect(() => attemptId({ ...attempt, [field as string]: value })).toThrow(
      expect.objectContaining({ code: "invalid_lane_tuple", field, retryable: false }),
    );
  });
});

describe("profileHash", () => {
  const hash = (fields: Record<string, unknown>): string => profileHash({ id: "p", version: "1", fields });

  test("does not depend on the order in which fields were written", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })), (fields) => {
        expect(hash(Object.fromEntries(Object.entries(fields).reverse()))).toBe(hash(fields));
      }),
    );
  });

  test.for([undefined, 1n, () => 0, Number.NaN, Number.POSITIVE_INFINITY, Symbol("s")])(
    "%o is no JSON value",
    (value) => {
      expect(() => hash({ value })).toThrow(expect.objectContaining({ field: "fields" }));
    },
  );

  test("an object that holds itself is refused, not followed", () => {
    const fields: Record<string, unknown> = {};
    fields["self"] = fields;
    expect(() => hash(fields)).toThrow(InvalidLaneTupleError);
  });
});

describe("retryDelay", () => {
  test("stays from 0 to its cap, and the cap never shrinks", () => {
    const ms = fc.nat({ max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", minLength: 1 }),
        fc.nat(),
        fc.integer({ min: 1, max: 200 }),
        ms,
        ms,
        (hook_id, generation, attempt, initial_ms, max_ms) => {
          const at = (attempt: number) => retryDelay({ hook_id, generation, attempt, initial_ms, max_ms });
          const { cap_ms, delay_ms } = at(attempt);
          expect(delay_ms).toBeGreaterThanOrEqual(0);
          expect(delay_ms).toBeLessThanOrEqual(cap_ms);
          expect(cap_ms).toBeLessThanOrEqual(max_ms);
          expect(at(attempt + 1).cap_ms).toBeGreaterThanOrEqual(cap_ms);
        },
      ),
    );
  });

  test("spreads hooks over the whole delay", () => {
    const delays = Array.from(
      { length: 1000 },
      (_, i) => retryDelay({ hook_id: `evt_${i}`, generation: 0, attempt: 1, initial_ms: 9, max_ms: 9 }).delay_ms,
    );
    expect([...new Set(delays)].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test.for([
    ["generation", 2 ** 32],
    ["attempt", 0],
    ["initial_ms", -1],
    ["max_ms", 1.5],
    ["hook_id", 5],
  ])("a malformed %s is named", ([field, value]) => {
    const retry = {
      hook_id: "evt_1",
      generation: 0,
      attempt: 1,
      initial_ms: 100,
      max_ms: 350,
      [field as string]: value,
    };
    expect(() => retryDelay(retry)).toThrow(expect.objectContaining({ code: "invalid_lane_tuple", field }));
  });
});
