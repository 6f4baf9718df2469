import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { findArrowFaults } from "../../src/checks/arrows.js";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function workspace(files: Record<string, string | object>): string {
  const root = mkdtempSync(join(tmpdir(), "sinkwire-arrows-"));
  folders.push(root);
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, "packages", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content, null, 1));
  }
  return root;
}

const entry = { ".": "./dist/index.js", "./package.json": "./package.json" };
const message = { name: "@sinkwire/message", exports: entry };
const delivery = { name: "@sinkwire/delivery", exports: entry };
const conformance = { name: "@sinkwire/conformance", exports: entry };
const rest = { "message/package.json": message, "message/src/index.ts": "", "delivery/package.json": delivery };

test("an import of a package above and of its manifest is allowed", () => {
  const source =
    'import { a } from "@sinkwire/message";\nimport b from "@sinkwire/message/package.json";\nimport "./c.js";';
  expect(findArrowFaults(workspace({ ...rest, "delivery/src/index.ts": source }))).toEqual([]);
});

test.each([
  ["import type", 'import type { A } from "@sinkwire/delivery";'],
  ["export from", 'export * from "@sinkwire/delivery";'],
  ["import()", 'await import("@sinkwire/delivery");'],
  ["require", 'require("@sinkwire/delivery");'],
])("an arrow that points down is found in %s, with its line", (_, statement) => {
  const root = workspace({
    ...rest,
    "delivery/src/index.ts": "",
    "message/src/deep/a.ts": `const x = 1;\n${statement}\n`,
  });
  expect(findArrowFaults(root)).toEqual([
    {
      file: "packages/message/src/deep/a.ts",
      line: 2,
      problem: "message imports @sinkwire/delivery and may import none of ours",
    },
  ]);
});

test("packages on one line know nothing of each other", () => {
  const root = workspace({
    "kafka/package.json": { name: "@sinkwire/kafka", exports: entry },
    "kafka/src/index.ts": 'import "@sinkwire/redis";',
    "redis/package.json": { name: "@sinkwire/redis", exports: entry },
    "redis/src/index.ts": "",
  });
  expect(findArrowFaults(root).map(({ problem }) => problem)).toEqual([
    "kafka imports @sinkwire/redis, which does not stand above it",
  ]);
});

test("conformance imports none of ours, although they stand above it", () => {
  const root = workspace({
    ...rest,
    "delivery/src/index.ts": "",
    "conformance/package.json": conformance,
    "conformance/src/a.ts": 'import "@sinkwire/message";',
  });
  expect(findArrowFaults(root).map(({ file }) => file)).toEqual(["packages/conformance/src/a.ts"]);
});

test("a deep path and a path out of the package are faults", () => {
  const source = 'import "@sinkwire/message/dist/decode.js";\nimport "../../message/src/decode.js";';
  expect(findArrowFaults(workspace({ ...rest, "delivery/src/index.ts": source }))).toEqual([
    {
      file: "packages/delivery/src/index.ts",
      line: 1,
      problem: "@sinkwire/message/dist/decode.js is not an entry point of @sinkwire/message",
    },
    { file: "packages/delivery/src/index.ts", line: 2, problem: "../../message/src/decode.js leaves the package" },
  ]);
});

test("the message core has no dependency, and Node's modules only in src/runtime", () => {
  const root = workspace({
    "message/package.json": { ...message, dependencies: { ajv: "1.0.0" } },
    "message/src/a.ts": 'import "node:crypto";\nimport "fs";',
    "message/src/runtime/node.ts": 'import "node:crypto";',
  });
  expect(findArrowFaults(root).map(({ file, problem }) => `${file}: ${problem}`)).toEqual([
    "packages/message/package.json: message depends on ajv",
    "packages/message/src/a.ts: message imports node:crypto outside of src/runtime",
    "packages/message/src/a.ts: message imports fs outside of src/runtime",
  ]);
});

test("a dependency that points down is found in package.json, also for development", () => {
  const root = workspace({
    ...rest,
    "delivery/package.json": { ...delivery, devDependencies: { "@sinkwire/conformance": "workspace:^" } },
    "delivery/src/index.ts": "",
    "conformance/package.json": conformance,
    "conformance/src/index.ts": "",
  });
  expect(findArrowFaults(root).map(({ problem }) => problem)).toEqual([
    "delivery imports @sinkwire/conformance, which does not stand above it",
  ]);
});

test("a package without a place in the order is a fault", () => {
  const root = workspace({ "extra/package.json": { name: "@sinkwire/extra" }, "extra/src/index.ts": "" });
  expect(findArrowFaults(root).map(({ problem }) => problem)).toEqual(["extra has no place in the order of packages"]);
});
