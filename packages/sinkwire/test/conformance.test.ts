import { execFile } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type ConformanceReport, loadSuite } from "@sinkwire/conformance";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sinkwire, temporaryFolder } from "./command.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const DECODER = fileURLToPath(new URL("fixtures/decoder.py", import.meta.url));

const messageCases = loadSuite().cases.filter(({ suite, retired }) => suite === "message" && retired === undefined);
const decodeCases = messageCases.filter(({ operation }) => operation === "decode_message");

describe("an outside implementation, from the packed tarballs in an empty folder", () => {
  let folder: string;
  const run = promisify(execFile);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "sinkwire-outside-"));
    const tarballs = join(folder, "tarballs");
    mkdirSync(tarballs);
    // The command and all packages of this repository that it needs.
    const pack = [
      "--yes",
      "pnpm@12.4.2",
      "--recursive",
      "--filter-prod",
      "sinkwire...",
      "pack",
      "--pack-destination",
      tarballs,
    ];
    await run("npx", pack, { cwd: ROOT });
    const files = readdirSync(tarballs).map((name) => join(tarballs, name));
    writeFileSync(join(folder, "package.json"), "{}");
    await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", ...files], {
      cwd: folder,
    });
    copyFileSync(DECODER, join(folder, "decoder.py"));
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  async function judge(misbehave: string): Promise<{ code: number; report: ConformanceReport; junit: string }> {
    const args = [
      "conformance",
      "run",
      "--json",
      "--junit",
      "junit.xml",
      "--suite",
      "message",
      "--",
      "python3",
      "decoder.py",
    ];
    const options = { cwd: folder, env: { ...process.env, MISBEHAVE: misbehave }, maxBuffer: 1 << 28 };
    const { code, stdout } = await run(join(folder, "node_modules/.bin/sinkwire"), args, options).then(
      ({ stdout: text }) => ({ code: 0, stdout: text }),
      (error: { code: number; stdout: string }) => error,
    );
    return { code, report: JSON.parse(stdout), junit: readFileSync(join(folder, "junit.xml"), "utf8") };
  }

  test("is judged by the vectors that the tarball carries", async () => {
    const { code, report, junit } = await judge("");
    const [result] = report.implementations;
    expect(report.suite.digest).toBe(loadSuite().digest);
    expect(result?.suites).toMatchObject([
      { suite: "message", passed: decodeCases.length, total: messageCases.length },
    ]);
    expect(new Set(result?.failures.map(({ reason }) => reason))).toEqual(new Set(["unsupported"]));
    expect(result?.faults).toEqual([]);
    expect(code).toBe(1);
    expect(junit).toContain(`tests="${messageCases.length}"`);
  }, 120_000);

  test("a log line, a hang and a second answer are each reported, and the rest is judged", async () => {
    const [log, hang, twice] = [10, 20, 30].map((n) => decodeCases[n]?.id);
    const { code, report } = await judge(`log:${log},hang:${hang},twice:${twice}`);
    const [result] = report.implementations;
    const reasons = new Map(result?.failures.map(({ id, reason }) => [id, reason]));
    expect(code).toBe(1);
    expect(reasons.get(String(hang))).toBe("no_answer");
    expect(reasons.get(String(twice))).toBe("answered_twice");
    expect(result?.faults.some(({ kind, detail }) => kind === "not_an_answer" && detail.includes("decoding"))).toBe(
      true,
    );
    expect(result?.suites).toMatchObject([{ passed: decodeCases.length - 2, total: messageCases.length }]);
    const others = messageCases.filter(({ operation }) => operation !== "decode_message");
    expect(result?.failures).toHaveLength(others.length + 2);
  }, 180_000);

  test("a runner that cannot be started is exit code 3", async () => {
    const { code, stdout } = await sinkwire(["conformance", "run", "--json", "--", "./no-such-runner"], "", {
      cwd: folder,
    });
    expect(code).toBe(3);
    expect(JSON.parse(stdout.toString())).toMatchObject({ outcome: "unavailable" });
  });
});

describe("conformance", () => {
  test("show prints one case, for people and for machines", async () => {
    const [one] = decodeCases;
    const words = await sinkwire(["conformance", "show", String(one?.id)]);
    expect(words.stdout.toString()).toContain(String(one?.comment));
    const json = await sinkwire(["conformance", "show", "--json", String(one?.id)]);
    expect(JSON.parse(json.stdout.toString())).toEqual(one);
    expect((await sinkwire(["conformance", "show", "no.such.case"])).code).toBe(2);
  });

  test("lint finds the suite sound, and a case that breaks the schema", async () => {
    expect(await sinkwire(["conformance", "lint"])).toMatchObject({ code: 0, stderr: "" });
    const folder = temporaryFolder();
    cpSync(join(ROOT, "conformance"), folder, { recursive: true });
    const cases = join(folder, "cases");
    writeFileSync(join(cases, "message/pinned/bad.json"), '[{"id": "x"}]');
    const { code, stdout } = await sinkwire(["conformance", "lint", "--json", "--cases", cases]);
    expect(code).toBe(1);
    expect(stdout.toString()).toContain("bad.json");
  });

  test.for([
    ["an unknown suite", ["run", "--suite", "nope"]],
    ["an unknown implementation", ["run", "--only", "nope"]],
    ["a folder without cases", ["run", "--cases", "/nowhere/at/all"]],
  ] as const)("%s is exit code 2", async ([, args]) => {
    expect((await sinkwire(["conformance", ...args], "", { cwd: ROOT })).code).toBe(2);
  });
});
