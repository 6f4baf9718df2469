import { describe, expect, it } from "vitest";
import { formatLint, lintSuite } from "../src/index.js";
import { deliveryIdCase, temporarySuite } from "./temporary-suite.js";

const RULES = "# Rules\n\n- **1.4-1** A delivery id is the id.\n";
const refused = deliveryIdCase("keys.refused", {
  input: { id: "" },
  expect: { error: { code: "invalid_hook", field: "id", retryable: false } },
});

/** What a sound suite of one accepted and one refused case has to say after a change. */
function problemsOf(cases: readonly unknown[], rules: string = RULES, kind = "pinned"): readonly string[] {
  return lintSuite({ casesDir: temporarySuite({ [`message/${kind}/keys.json`]: cases }, rules) }).problems;
}

const sound = [deliveryIdCase("keys.plain"), refused];

describe("lintSuite", () => {
  it("finds nothing in a sound suite and counts it", () => {
    const retired = deliveryIdCase("keys.retired", { retired: "it was wrong all along" });
    const report = lintSuite({ casesDir: temporarySuite({ "message/pinned/keys.json": [...sound, retired] }, RULES) });
    expect(report).toEqual({
      problems: [],
      counts: [{ suite: "message", kinds: { pinned: 2, generated: 0, found: 0 } }],
      total: 2,
      retired: 1,
      rules: 1,
    });
    expect(formatLint(report)).toBe(
      "message  2 pinned, 0 generated, 0 found\n2 cases, 1 retired, 1 rules\nno problems",
    );
  });

  const error = (changes: object): Record<string, unknown> =>
    deliveryIdCase("keys.bad", {
      input: { id: 7 },
      expect: { error: { code: "invalid_hook", field: "id", retryable: false, ...changes } },
    });

  it.each([
    [
      "every schema problem",
      [...sound, deliveryIdCase("x.a", { input: {} }), deliveryIdCase("x.b", { tags: [1] })],
      [/x\.a: .*id/, /x\.b: .*tags/],
    ],
    [
      "the same input twice",
      [...sound, deliveryIdCase("keys.twin", { input: { id: "evt-keys.plain" } })],
      [/keys\.twin has the input of keys\.plain/],
    ],
    [
      "a pinned case without a source",
      [...sound, deliveryIdCase("keys.why", { comment: "because it matters" })],
      [/keys\.why: a pinned case names its source/],
    ],
    ["an unknown error code", [...sound, error({ code: "invalid_hok" })], [/no error code invalid_hok/]],
    [
      "a code that the operation cannot give",
      [...sound, error({ code: "claim_required", field: null })],
      [/delivery_id cannot give claim_required/],
    ],
    ["a code with the wrong retryable", [...sound, error({ retryable: true })], [/invalid_hook is not retryable/]],
    ["a code without its field", [...sound, error({ field: null })], [/invalid_hook has to name a field/]],
    [
      "a string that is not well-formed",
      [...sound, deliveryIdCase("keys.lone", { input: { id: "\ud800" } })],
      [/keys\.lone: write a string/],
    ],
    [
      "a rule without a refused case",
      sound.slice(0, 1),
      [/rule 1\.4-1 has no refused case/, /no case expects invalid_hook/],
    ],
    ["a rule without an accepted case", sound.slice(1), [/rule 1\.4-1 has no accepted case/]],
    [
      "a rule that is not in the README",
      [...sound, deliveryIdCase("keys.far", { rule: "9.9-9" })],
      [/keys\.far names rule 9\.9-9/],
    ],
    [
      "a precedence tag without the loser",
      [...sound, deliveryIdCase("keys.first", { tags: ["precedence"] })],
      [/keys\.first: the tags/],
    ],
  ])("finds %s", (_what, cases, expected) => {
    const problems = problemsOf(cases);
    expect(problems).toHaveLength(expected.length);
    for (const [index, pattern] of expected.entries()) expect(problems[index]).toMatch(pattern);
  });

  it("wants every two faults of a decode that can meet", () => {
    const decode = (id: string, tags: readonly string[], bytes: string): Record<string, unknown> => ({
      ...deliveryIdCase(id, {
        operation: "decode_message",
        tags,
        input: { bytes_base64: Buffer.from(bytes).toString("base64") },
      }),
      expect: { error: { code: "invalid_json", field: null, retryable: false } },
    });
    const problems = problemsOf([...sound, decode("decode.both", ["precedence", "over:not_an_object"], "[1]x")]);
    expect(problems).not.toContain("no precedence case for invalid_json over not_an_object");
    expect(problems).toContain("no precedence case for invalid_json over unsupported_version");
    expect(problems).toContain("no precedence case for size_mismatch over integrity");
    expect(problems.filter((problem) => problem.startsWith("no precedence case"))).toHaveLength(29);
  });

  it.each([
    ["one-sided and covered from one", `${RULES.trimEnd()} (one-sided: nothing is refused)\n`, sound.slice(0, 1), []],
    [
      "one-sided, wrapped over lines",
      `${RULES.trimEnd()}\n  It holds for all.\n  (one-sided: nothing is refused)\n`,
      sound.slice(0, 1),
      [],
    ],
    [
      "one-sided and covered from both",
      `${RULES.trimEnd()} (one-sided: nothing is refused)\n`,
      sound,
      [/marked one-sided/],
    ],
    ["tested elsewhere", `${RULES}- **2.3-1** Check-in is I/O. (not a vector: the store's own tests)\n`, sound, []],
    [
      "without any case",
      `${RULES}- **2.3-1** Check-in is I/O.\n`,
      sound,
      [/2\.3-1 has no accepted/, /2\.3-1 has no refused/],
    ],
    ["written twice", `${RULES}- **1.4-1** Again.\n`, sound, [/rule 1\.4-1 is there twice/]],
  ])("reads a rule that is %s", (_what, rules, cases, expected) => {
    const problems = problemsOf(cases, rules).filter((problem) => !problem.startsWith("no case expects"));
    expect(problems).toHaveLength(expected.length);
    for (const [index, pattern] of expected.entries()) expect(problems[index]).toMatch(pattern);
  });

  it("finds numbers that another parser may read otherwise", () => {
    const text = (number: string): string =>
      JSON.stringify([...sound, deliveryIdCase("keys.number", { input: { id: "n", replay_id: 0 } })]).replace(
        '"replay_id":0',
        `"replay_id":${number}`,
      );
    const problemsFor = (number: string): readonly string[] =>
      lintSuite({ casesDir: temporarySuite({ "message/found/keys.json": text(number) }, RULES) }).problems;
    for (const number of ["1.0", "1e400", "9007199254740993", "-0"]) {
      expect(problemsFor(number)).toEqual([
        `message/found/keys.json: write ${number} in its shortest form, or as bytes`,
      ]);
    }
    expect(problemsFor("9007199254740991")).toEqual([]);
  });

  it("needs the rules", () => {
    const casesDir = temporarySuite({ "message/pinned/keys.json": sound });
    expect(() => lintSuite({ casesDir })).toThrow(expect.objectContaining({ code: "suite_unreadable" }));
  });
});
