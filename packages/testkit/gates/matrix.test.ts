import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadImplementations, loadSuite, runConformance, updateMarkdownMatrix } from "@sinkwire/conformance";
import { expect, test } from "vitest";
import { ROOT } from "../src/checks/workspace.js";

test("the README shows what every implementation makes of the vectors today", async () => {
  const readme = join(ROOT, "README.md");
  const report = await runConformance(loadSuite(), loadImplementations());
  await expect(updateMarkdownMatrix(readFileSync(readme, "utf8"), report)).toMatchFileSnapshot(readme);
});
