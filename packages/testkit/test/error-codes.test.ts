import { loadErrorCodes } from "@sinkwire/conformance";
import { expect, it } from "vitest";
import { typedErrorCodes } from "../src/error-codes.js";

/** On the list, and not yet given by a TypeScript package. */
const LATER = ["invalid_lane_tuple"];

it("the list of error codes and the TypeScript types agree", () => {
  const listed = loadErrorCodes().map(({ code }) => code);
  expect(new Set(listed).size).toBe(listed.length);
  expect(listed.filter((code) => !LATER.includes(code)).sort()).toEqual(Object.keys(typedErrorCodes).sort());
});
