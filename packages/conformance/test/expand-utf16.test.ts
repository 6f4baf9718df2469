import { expect, it } from "vitest";
import { expandUtf16, type Json } from "../src/index.js";

it("builds strings that JSON cannot carry, wherever they stand", () => {
  const input = { id: { $utf16: [55296] }, list: [{ $utf16: [104, 105] }, "x"], deep: { name: { $utf16: [] } }, n: 1 };
  expect(expandUtf16(input)).toEqual({ id: "\ud800", list: ["hi", "x"], deep: { name: "" }, n: 1 });
});

it("leaves alone what only looks like one", () => {
  const input = { a: { $utf16: "text" }, b: { $utf16: [1], other: 2 }, c: { utf16: [1] } };
  expect(expandUtf16(input)).toEqual(input);
});

it("keeps inherited names as plain own data", () => {
  const input = JSON.parse('{"headers":{"__proto__":"x","constructor":{"$utf16":[65]}}}') as Json;
  const text = JSON.stringify(expandUtf16(input));
  expect(text).toBe('{"headers":{"__proto__":"x","constructor":"A"}}');
});
