import { expect, test } from "vitest";
import { findSnippets } from "../../src/checks/snippets.js";

test("ts blocks are found with their line, others are not", () => {
  const page = "# A\n\n```sh\nls\n```\n\n```ts\nconst a = 1;\n\na;\n```\n\n```json\n{}\n```\n```ts\nb;\n```\n";
  expect(findSnippets("a.md", page)).toEqual([
    { page: "a.md", line: 7, code: "const a = 1;\n\na;", notRun: null },
    { page: "a.md", line: 16, code: "b;", notRun: null },
  ]);
});

test("a reason right above a block, and only there, keeps it from running", () => {
  const page =
    "<!-- not run: needs a broker -->\n\n```ts\na;\n```\ntext\n```ts\nb;\n```\n<!-- not run: -->\n```ts\nc;\n```";
  expect(findSnippets("a.md", page).map(({ notRun }) => notRun)).toEqual(["needs a broker", null, null]);
});

test("an unclosed block runs to the end", () => {
  expect(findSnippets("a.md", "```ts\na;\nb;").map(({ code }) => code)).toEqual(["a;\nb;"]);
});
