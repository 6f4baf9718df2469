import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findSnippets } from "../src/checks/snippets.js";
import { ROOT, workspacePackages } from "../src/checks/workspace.js";

const packages = workspacePackages(ROOT);
const pages = [
  "README.md",
  ...packages
    .map(({ folder }) => join(folder, "README.md").slice(ROOT.length))
    .filter((page) => existsSync(join(ROOT, page))),
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];
const snippets = pages.flatMap((page) => findSnippets(page, readFileSync(join(ROOT, page), "utf8")));

/** A folder outside of the workspace, where the built packages are installed. */
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sinkwire-snippets-"));
  for (const { folder: target, manifest } of packages) {
    const link = join(folder, "node_modules", manifest.name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(target, link, "dir");
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

test.for(snippets.filter(({ notRun }) => notRun === null))("$page:$line runs", async ({ page, line, code }) => {
  const file = join(folder, `${page.replaceAll(/\W/g, "-")}-${line}.mjs`);
  writeFileSync(file, (await transform(code, { loader: "ts", format: "esm", target: "node20" })).code);
  const run = promisify(execFile)(process.execPath, [file], { cwd: folder, timeout: 60_000 });
  await expect(run).resolves.toBeDefined();
});

const kept = snippets.flatMap((snippet) => (snippet.notRun === null ? [] : [snippet]));
for (const { page, line, notRun } of kept) console.log(`note: ${page}:${line} is not run: ${notRun}`);
console.log(`note: ${snippets.length - kept.length} snippets of ${pages.length} pages are run, ${kept.length} are not`);
