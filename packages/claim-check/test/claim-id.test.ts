import { describe, expect, test } from "vitest";
import { claimIdParts } from "../src/index.js";
import { CLAIM_ID } from "./support.js";

describe("claimIdParts", () => {
  test("takes an id apart", () => {
    expect(claimIdParts("01M39VMD8RA3C5HR4RBV67Y002", "acme")).toEqual({
      timestamp_ms: Date.UTC(2026, 8, 24, 14, 3, 11),
      position: 2,
      pack_id: "01M39VMD8RA3C5HR4RBV67Y000",
      object_key: "claims/tenant=acme/dt=2026-09-24/01M39VMD8RA3C5HR4RBV67Y000",
    });
  });

  test.each([
    ["00000000000000000000000000", 0, 0, "00000000000000000000000000", "1970-01-01"],
    ["0000000000000000000000ZZZZ", 0, 65_535, "0000000000000000000000Y000", "1970-01-01"],
    ["00000000010000000000000000", 1, 0, "00000000010000000000000000", "1970-01-01"],
    ["7ZZZZZZZZZZZZZZZZZZZZZZZZZ", 2 ** 48 - 1, 65_535, "7ZZZZZZZZZZZZZZZZZZZZZY000", "10889-08-02"],
  ])("%s", (claimId, timestamp_ms, position, pack_id, date) => {
    const object_key = `claims/tenant=T-_9/dt=${date}/${pack_id}`;
    expect(claimIdParts(claimId, "T-_9")).toEqual({ timestamp_ms, position, pack_id, object_key });
  });

  test.each([
    ["", "acme"],
    [CLAIM_ID.slice(1), "acme"],
    [`${CLAIM_ID}0`, "acme"],
    [`${CLAIM_ID}\n`, "acme"],
    [CLAIM_ID.toLowerCase(), "acme"],
    [`8${CLAIM_ID.slice(1)}`, "acme"],
    [CLAIM_ID.replace("M", "I"), "acme"],
    [CLAIM_ID.replace("M", "L"), "acme"],
    [CLAIM_ID.replace("M", "O"), "acme"],
    [CLAIM_ID.replace("M", "U"), "acme"],
    [null, "acme"],
    [CLAIM_ID, ""],
    [CLAIM_ID, ".."],
    [CLAIM_ID, "a/b"],
    [CLAIM_ID, "a\n"],
    [CLAIM_ID, "é"],
    [CLAIM_ID, "a".repeat(65)],
    [CLAIM_ID, null],
  ])("refuses %j of %j", (claimId, tenant) => {
    expect(() => claimIdParts(claimId as string, tenant as string)).toThrow(
      expect.objectContaining({ code: "invalid_claim_ref", field: null, retryable: false }),
    );
  });
});
