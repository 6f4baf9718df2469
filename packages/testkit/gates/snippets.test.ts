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
import { findSnippets, type Snippet } from "../src/checks/snippets.js";
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
const runnable = snippets.filter(({ notRun }) => notRun === null);

/** A folder outside of the workspace, where the built packages are installed, and the clients that the tests use. */
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sinkwire-snippets-"));
  const install = (name: string, target: string): void => {
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(target, link, "dir");
  };
  for (const { folder: target, manifest } of packages) install(manifest.name, target);
  const testkit = join(ROOT, "packages", "testkit");
  const { devDependencies } = JSON.parse(readFileSync(join(testkit, "package.json"), "utf8")) as {
    devDependencies: Readonly<Record<string, string>>;
  };
  for (const name of Object.keys(devDependencies)) install(name, join(testkit, "node_modules", name));
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = async (...args: string[]): Promise<void> => {
  await promisify(execFile)(process.execPath, args, { cwd: folder, timeout: 60_000 }).catch(
    ({ message, stdout, stderr }: { message: string; stdout: string; stderr: string }) =>
      expect.fail(stdout + stderr || message),
  );
};

const fileName = ({ page, line }: Snippet): string => `${page.replaceAll(/\W/g, "-")}-${line}`;

test("the snippets that are run have the right types", async () => {
  for (const snippet of snippets)
    writeFileSync(join(folder, `${fileName(snippet)}.mts`), `${snippet.code}\nexport {};\n`);
  const compilerOptions = {
    ...{ target: "ES2022", lib: ["ES2023"], module: "NodeNext", strict: true, skipLibCheck: true, noEmit: true },
    ...{ types: ["node"], typeRoots: [join(ROOT, "node_modules", "@types")] },
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.mts"] }));
  await run(join(ROOT, "node_modules", "typescript", "bin", "tsc"), "--pretty", "false");
});

test.for(runnable)("$page:$line runs", async (snippet) => {
  const file = join(folder, `${fileName(snippet)}.mjs`);
  writeFileSync(file, (await transform(snippet.code, { loader: "ts", format: "esm", target: "node20" })).code);
  await run(file);
});

for (const { page, line, notRun } of snippets) {
  if (notRun !== null) console.log(`note: ${page}:${line} is not run: ${notRun}`);
}
const kept = snippets.length - runnable.length;
console.log(`note: ${runnable.length} snippets of ${pages.length} pages are run, ${kept} are not`);
