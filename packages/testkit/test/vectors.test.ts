import {
  describeDifference,
  loadErrorCodes,
  loadImplementations,
  loadSuite,
  type Outcome,
} from "@sinkwire/conformance";
import { describe, expect, it } from "vitest";
import { answer } from "../src/answer.js";
import { operations } from "../src/dispatch.js";

const [typescript] = loadImplementations().filter((row) => row.name === "typescript");
const claimed = loadSuite().cases.filter((one) => one.retired === undefined && typescript?.suites.includes(one.suite));

for (const suite of typescript?.suites ?? []) {
  describe(suite, () => {
    for (const one of claimed.filter((candidate) => candidate.suite === suite)) {
      it(one.id, async () => {
        const got: unknown = JSON.parse(JSON.stringify(await answer(one.operation, one.input)));
        expect(describeDifference(one.expect, got as Outcome), `rule ${one.rule}: ${one.comment}`).toBeNull();
      });
    }
  });
}

it("every operation of the dispatch table has vectors, and every operation of the error list is in it", () => {
  expect([...operations.keys()].sort()).toEqual([...new Set(claimed.map((one) => one.operation))].sort());
  const named = new Set(loadErrorCodes().flatMap((entry) => entry.operations));
  expect([...named].filter((operation) => !operations.has(operation))).toEqual([]);
});
