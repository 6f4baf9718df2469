import { describe, expect, it } from "vitest";
import { describeDifference, type Json, type Outcome } from "../src/index.js";

/** Through text, as an answer comes in. */
function ok(text: string): Outcome {
  return { ok: JSON.parse(text) as Json };
}

describe("describeDifference of two oks", () => {
  it.each([
    ["1", "1.0"],
    ["1e3", "1000"],
    ["0", "-0"],
    ['{"a":1,"b":[2,{"c":null}]}', '{"b":[2,{"c":null}],"a":1}'],
    ['{"__proto__":"x","constructor":"y"}', '{"constructor":"y","__proto__":"x"}'],
    ['"\\u0041"', '"A"'],
  ])("%s agrees with %s", (expected, got) => {
    expect(describeDifference(ok(expected), ok(got))).toBeNull();
  });

  it.each([
    ["1", '"1"', "ok: expected 1"],
    ["null", "false", "ok: expected null"],
    ['{"a":null}', "{}", '"a" is missing'],
    ["{}", '{"a":null}', '"a" is not expected'],
    ["[1,2]", "[2,1]", "ok.0"],
    ["[1]", "[1,2]", '"1" is not expected'],
    ["[1,2]", "[1]", '"1" is missing'],
    ["{}", "[]", "ok: expected {}"],
    ["[]", "{}", "ok: expected []"],
    ["{}", "null", "ok: expected {}"],
    ['{"a":{"b":[0,{"c":"x"}]}}', '{"a":{"b":[0,{"c":"y"}]}}', 'ok.a.b.1.c: expected "x", got "y"'],
    ['{"__proto__":"x"}', "{}", '"__proto__" is missing'],
    ["{}", '{"__proto__":"x"}', '"__proto__" is not expected'],
    ['{"toString":"x"}', "{}", '"toString" is missing'],
    ["9007199254740992", '"9007199254740992"', "ok: expected 9007199254740992"],
  ])("%s differs from %s", (expected, got, place) => {
    expect(describeDifference(ok(expected), ok(got))).toContain(place);
  });

  it("survives an answer that is nested 200,000 levels deep", () => {
    const deep = ok(`${"[".repeat(200_000)}${"]".repeat(200_000)}`);
    expect(describeDifference(ok("[[1]]"), deep)).toContain("ok.0.0: expected 1, got (nested too deeply to show)");
  });
});

describe("describeDifference of errors", () => {
  const expected: Outcome = { error: { code: "invalid_field", field: "id", retryable: false } };

  it("ignores the text of an error", () => {
    const got = { error: { code: "invalid_field", field: "id", retryable: false, message: "id is empty" } };
    expect(describeDifference(expected, got)).toBeNull();
  });

  it.each([
    [{ code: "invalid_json", field: "id", retryable: false }, "error.code"],
    [{ code: "invalid_field", field: "v", retryable: false }, "error.field"],
    [{ code: "invalid_field", field: null, retryable: false }, "error.field"],
    [{ code: "invalid_field", field: "id", retryable: true }, "error.retryable"],
    [{ code: "invalid_field", retryable: false }, '"field" is missing'],
    [{ code: "invalid_field", field: "id" }, '"retryable" is missing'],
  ])("differs: %j", (error, place) => {
    expect(describeDifference(expected, { error } as Outcome)).toContain(place);
  });

  it("tells an ok from an error, both ways", () => {
    expect(describeDifference(expected, { ok: {} })).toBe("expected the error invalid_field, got an ok");
    expect(describeDifference({ ok: {} }, expected)).toBe('expected an ok, got the error "invalid_field"');
  });
});
