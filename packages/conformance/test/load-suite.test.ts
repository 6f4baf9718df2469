import { describe, expect, it } from "vitest";
import { loadSuite, showCase } from "../src/index.js";
import { deliveryIdCase, temporarySuite } from "./temporary-suite.js";

describe("loadSuite", () => {
  it("reads cases in order of id, with kind, file and version", () => {
    const casesDir = temporarySuite({
      "message/pinned/keys.json": [deliveryIdCase("b.two"), deliveryIdCase("a.one")],
      "message/found/keys.json": [deliveryIdCase("c.three")],
    });
    const suite = loadSuite({ casesDir });
    expect(suite.version).toBe("9.8.7");
    expect(suite.cases.map(({ id, kind, file }) => [id, kind, file])).toEqual([
      ["a.one", "pinned", "message/pinned/keys.json"],
      ["b.two", "pinned", "message/pinned/keys.json"],
      ["c.three", "found", "message/found/keys.json"],
    ]);
  });

  it("gives one digest whatever the layout of the files, and another for another content", () => {
    const one = deliveryIdCase("a.one");
    const two = deliveryIdCase("a.two");
    const reordered = Object.fromEntries(Object.entries(two).reverse());
    const digest = (files: Record<string, unknown>): string => loadSuite({ casesDir: temporarySuite(files) }).digest;
    const expected = digest({ "message/pinned/keys.json": [one, two] });
    expect(expected).toMatch(/^[0-9a-f]{64}$/);
    expect(digest({ "message/pinned/x.json": [reordered], "message/found/y.json": [one] })).toBe(expected);
    expect(digest({ "message/pinned/x.json": `${JSON.stringify([two, one], null, 4)}\r\n` })).toBe(expected);
    expect(digest({ "message/pinned/x.json": [one] })).not.toBe(expected);
    expect(digest({ "message/pinned/x.json": [one, { ...two, comment: "rule 1.4-1, otherwise" }] })).not.toBe(expected);
  });

  it.each([
    ["a name that the schema does not know", { inputs: {} }, /inputs/],
    ["an operation of another suite", { operation: "parse_claim_ref", input: { ref: "x" } }, /operation/],
    ["an input name that the operation does not have", { input: { id: "x", replay: "y" } }, /replay/],
    ["an answer that lacks a name", { expect: { ok: {} } }, /delivery_id/],
    [
      "both outcomes",
      { expect: { ok: { delivery_id: "x" }, error: { code: "x", field: null, retryable: false } } },
      /expect/,
    ],
    ["no outcome", { expect: {} }, /expect/],
    ["an error without its field", { expect: { error: { code: "invalid_hook", retryable: false } } }, /field/],
    ["a rule that is no number", { rule: "delivery ids" }, /rule/],
    ["a comment of two lines", { comment: "two\nlines of it" }, /comment/],
    ["an id without a dot", { id: "one" }, /id/],
  ])("refuses %s", (_what, changes, problem) => {
    const casesDir = temporarySuite({ "message/pinned/keys.json": [deliveryIdCase("a.one", changes)] });
    expect(() => loadSuite({ casesDir })).toThrow(
      expect.objectContaining({ code: "suite_invalid", message: expect.stringMatching(problem) }),
    );
  });

  it.each([
    [
      "an id twice",
      { "message/pinned/a.json": [deliveryIdCase("a.one")], "message/found/b.json": [deliveryIdCase("a.one")] },
    ],
    ["a case in the folder of another suite", { "packs/pinned/a.json": [deliveryIdCase("a.one")] }],
    ["a folder that is no kind", { "message/handmade/a.json": [] }],
    ["a file beside the kinds", { "message/a.json": [] }],
    ["a file that is no array", { "message/pinned/a.json": { cases: [] } }],
  ])("refuses %s", (_what, files) => {
    const casesDir = temporarySuite(files);
    expect(() => loadSuite({ casesDir })).toThrow(expect.objectContaining({ code: "suite_invalid" }));
  });

  it("names the file that is no JSON", () => {
    const casesDir = temporarySuite({ "message/pinned/a.json": "[" });
    expect(() => loadSuite({ casesDir })).toThrow(
      expect.objectContaining({ code: "suite_unreadable", message: expect.stringContaining("a.json") }),
    );
  });
});

describe("showCase", () => {
  const suite = (): ReturnType<typeof loadSuite> =>
    loadSuite({
      casesDir: temporarySuite({ "message/pinned/keys.json": [deliveryIdCase("a.one"), deliveryIdCase("a.two")] }),
    });

  it("writes the file and the case as it stands there", () => {
    const [file, ...json] = showCase(suite(), "a.two").split("\n");
    expect(file).toBe("message/pinned/keys.json");
    expect(JSON.parse(json.join("\n"))).toEqual(deliveryIdCase("a.two"));
  });

  it("names the neighbours of an id that is not there", () => {
    expect(() => showCase(suite(), "a.three")).toThrow(
      expect.objectContaining({ code: "unknown_case", message: "no case a.three; there are a.one, a.two" }),
    );
  });
});
