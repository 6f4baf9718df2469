import { loadErrorCodes } from "@sinkwire/conformance";
import { expect, it } from "vitest";
import { typedErrorCodes } from "../src/error-codes.js";

it("the list of error codes and the TypeScript types agree", () => {
  const listed = loadErrorCodes().map(({ code }) => code);
  expect(new Set(listed).size).toBe(listed.length);
  expect(listed.sort()).toEqual(Object.keys(typedErrorCodes).sort());
});
