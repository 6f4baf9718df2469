import { expect, it } from "vitest";
import { quoteSchema } from "../src/index.js";

it.each([
  ["sqlstreams", '"sqlstreams"'],
  ['a"; DROP TABLE b; --', '"a""; DROP TABLE b; --"'],
  ["Größe 名", '"Größe 名"'],
  ["x".repeat(63), `"${"x".repeat(63)}"`],
])("quotes the schema %s", (name, quoted) => {
  expect(quoteSchema(name)).toBe(quoted);
});

it.each(["", "a\0b", "\ud800", "pg_mine", "x".repeat(64), "ö".repeat(32)])("refuses the schema %j", (name) => {
  expect(() => quoteSchema(name)).toThrow(expect.objectContaining({ code: "invalid_hook", field: "schema" }));
});
