import { existsSync } from "node:fs";
import { join } from "node:path";
import { BROKER_NAMES, type BrokerName, missingBroker } from "../brokers/index.js";
import { implementations, missingProgram } from "./implementations.js";
import type { Part } from "./part.js";
import { chromiumPath, python } from "./places.js";
import { junitCounts, vitestCounts } from "./reports.js";
import { ROOT } from "./workspace.js";

const bin = (tool: string, ...args: string[]): string[] => [join("node_modules", ".bin", tool), ...args];
const pnpm = (...args: string[]): string[] => ["npx", "--yes", "pnpm@12.4.2", ...args];
const sinkwire = (...args: string[]): string[] => [process.execPath, "packages/sinkwire/dist/cli.js", ...args];
const vitest = (node: string, project: string, ...files: string[]): string[] => [
  ...[node, "node_modules/vitest/vitest.mjs", "run", "--no-color", "--project", project],
  ...["--reporter=default", "--reporter=json", "--outputFile.json={report}", ...files],
];

/** A file of `packages/testkit/gates`. */
const gate = (name: string, rest: Partial<Part> = {}): Part => ({
  name,
  commands: [vitest(process.execPath, "gates", `gates/${name}.test.ts`)],
  counts: vitestCounts,
  ...rest,
});

/** Unit tests and vectors on another Node than the one that runs this. */
const unitOn = (name: string): Part => {
  const node = join("packages", "testkit", "nodes", "node_modules", name, "bin", "node");
  return {
    name: `unit on ${name}`,
    commands: [vitest(node, "unit")],
    counts: vitestCounts,
    missing: () => (existsSync(join(ROOT, node)) ? null : "there is no such binary for this platform"),
  };
};

/** The tests against one real server. The inbox, which PostgreSQL is for, is not whole yet: its tests run with `--long`. */
const broker = (name: BrokerName): Part => ({
  name: `broker ${name}`,
  commands: [vitest(process.execPath, "brokers", `brokers/${name}`)],
  beside: true,
  ...(name === "postgres" ? { long: true } : {}),
  counts: vitestCounts,
  missing: () => missingBroker(name),
});

/** The vectors of all suites that an implementation claims, through the driver. */
const vectorsOf = ({ name, missing }: ReturnType<typeof implementations>[number]): Part => ({
  name: `vectors ${name}`,
  commands: [sinkwire("conformance", "run", "--only", name, "--junit", "{report}")],
  counts: junitCounts,
  missing,
});

/** The parts of `npm test`, in the order in which they run; `npm run test:long` runs the ones marked `long` as well. */
export const PARTS: readonly Part[] = [
  { name: "build", commands: [[process.execPath, "scripts/bootstrap.mjs", "--build"]], first: true },
  {
    name: "types",
    commands: [pnpm("--recursive", "--filter", "./packages/*", "run", "types"), bin("tsc", "-p", "tsconfig.test.json")],
  },
  { name: "biome", commands: [bin("biome", "check", "--error-on-warnings")] },
  { name: "knip", commands: [bin("knip")] },
  gate("arrows"),
  { name: "unit", commands: [vitest(process.execPath, "unit")], counts: vitestCounts },
  unitOn("node-22"),
  unitOn("node-24"),
  { name: "suite", commands: [sinkwire("conformance", "lint"), sinkwire("vectors", "check")] },
  ...implementations().map(vectorsOf),
  gate("matrix", { missing: () => implementations().reduce<string | null>((why, one) => why ?? one.missing(), null) }),
  {
    name: "python",
    ...python,
    counts: junitCounts,
  },
  ...BROKER_NAMES.map(broker),
  gate("snippets"),
  gate("error-pages"),
  gate("asyncapi"),
  gate("size"),
  gate("browser", { missing: () => (chromiumPath() === null ? "Chromium is not installed" : null) }),
  gate("api"),
  gate("packaging"),
  gate("mutation"),
  gate("fuzz"),
  gate("outside", { missing: () => missingProgram("python3") }),
  {
    name: "fuzz run",
    commands: [bin("tsx", "packages/testkit/src/fuzz/main.ts", "--differential", "--seconds", "600")],
    long: true,
    limitMs: 900_000,
  },
  { name: "bench", commands: [[process.execPath, "packages/bench/dist/main.js", "codec"]], long: true },
];
