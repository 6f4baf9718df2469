import { loadSuite } from "@sinkwire/conformance";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MutantBuilder } from "../src/mutation/build-mutant.js";
import { DECODE_MUTANTS } from "../src/mutation/decode-mutants.js";
import { ENCODE_MUTANTS } from "../src/mutation/encode-mutants.js";
import { judgeMutant } from "../src/mutation/judge-mutant.js";
import { RULE_MUTANTS } from "../src/mutation/rule-mutants.js";

const MUTANTS = [...DECODE_MUTANTS, ...ENCODE_MUTANTS, ...RULE_MUTANTS];
/** The cheap ones first: most mutants do not live to see the large ones. */
const cases = loadSuite()
  .cases.filter(({ retired }) => retired === undefined)
  .map((one) => ({ one, length: JSON.stringify(one.input).length }))
  .sort((a, b) => a.length - b.length)
  .map(({ one }) => one);

describe("mutation", () => {
  let builder: MutantBuilder;
  beforeAll(async () => {
    builder = await MutantBuilder.of("mutation/judge-worker.ts", "cjs");
  });
  afterAll(() => builder.dispose());

  test("the codec as it is passes every vector", async () => {
    expect(await judgeMutant(await builder.build(null), cases)).toBeNull();
  });

  test.each(MUTANTS)("$file: $name", async (mutant) => {
    const killer = await judgeMutant(await builder.build(mutant), cases);
    expect(killer, "no vector kills this mutant: the suite lacks a case").not.toBeNull();
  });

  test("a mutant has a name of its own in its file", () => {
    const names = MUTANTS.map(({ file, name }) => `${file}: ${name}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});
