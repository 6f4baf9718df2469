import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../src/checks/workspace.js";

interface ErrorCode {
  readonly code: string;
  readonly retryable: boolean;
}

const list = JSON.parse(readFileSync(join(ROOT, "schemas", "error-codes.json"), "utf8")) as { codes: ErrorCode[] };
const folder = join(ROOT, "docs", "errors");

test("every error code has a page, and every page a code", () => {
  const pages = readdirSync(folder).filter((name) => name !== "README.md");
  expect(pages.sort()).toEqual(list.codes.map(({ code }) => `${code}.md`).sort());
});

test.for(list.codes)("the page of $code says what to do and whether to retry", ({ code, retryable }) => {
  const page = readFileSync(join(folder, `${code}.md`), "utf8");
  expect(page).toMatch(new RegExp(`^# \`${code}\`\n`));
  expect(page).toContain(`\n**Retry:** ${retryable ? "yes" : "no"}`);
  expect(page).toContain("\n## What to do\n");
  expect(page).toContain("\n## Example\n");
});

test("the index names every page", () => {
  const index = readFileSync(join(folder, "README.md"), "utf8");
  expect(list.codes.filter(({ code }) => !index.includes(`(${code}.md)`))).toEqual([]);
});
