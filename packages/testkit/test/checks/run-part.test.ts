import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { runCommand, stopCommands } from "../../src/checks/command.js";
import type { Part } from "../../src/checks/part.js";
import { junitCounts, vitestCounts } from "../../src/checks/reports.js";
import { runPart } from "../../src/checks/run-part.js";
import { notes, partLine, summary } from "../../src/checks/summary.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sinkwire-parts-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const script = (code: string, ...args: string[]): string[] => [process.execPath, "-e", code, ...args];
const report = (json: string): string[] =>
  script("fs.writeFileSync(process.argv[1], process.argv[2])", "{report}", json);
const run = (part: Omit<Part, "name">, requireAll = false) =>
  runPart({ name: "part", ...part }, { root: folder, folder, requireAll });
const vitestReport = (passed: number, failed: number, pending: number): string =>
  JSON.stringify({ numPassedTests: passed, numFailedTests: failed, numPendingTests: pending, numTodoTests: 0 });

describe("a part", () => {
  test("counts what its report says", async () => {
    const outcome = await run({ commands: [report(vitestReport(7, 0, 0))], counts: vitestCounts });
    expect(outcome).toMatchObject({ ok: true, counts: { passed: 7, failed: 0 }, skipped: null });
  });

  test("fails when a command fails, and runs no later one", async () => {
    const outcome = await run({
      commands: [script("console.log('first'); process.exit(3)"), script("console.log('second')")],
    });
    expect(outcome).toMatchObject({ ok: false, counts: { passed: 0, failed: 1 }, output: "first\n" });
  });

  test("keeps the counts of a failing run", async () => {
    const commands = [report(vitestReport(5, 2, 0)), script("process.exit(1)")];
    expect(await run({ commands, counts: vitestCounts })).toMatchObject({
      ok: false,
      counts: { passed: 5, failed: 2 },
    });
  });

  test("fails when its report says so, whatever the command says", async () => {
    const outcome = await run({ commands: [report(vitestReport(5, 1, 0))], counts: vitestCounts });
    expect(outcome).toMatchObject({ ok: false, counts: { failed: 1 } });
  });

  test.each([
    ["no report", script("")],
    ["another report", report("{}")],
    ["a report of nothing", report(vitestReport(0, 0, 0))],
  ])("fails on %s", async (_, command) => {
    rmSync(join(folder, "part.report"), { force: true });
    expect(await run({ commands: [command], counts: vitestCounts })).toMatchObject({
      ok: false,
      counts: { failed: 1 },
    });
  });

  test("that is missing something is skipped by name, and fails when everything is required", async () => {
    const part = { commands: [script("")], missing: () => "no broker" };
    const skipped = await run(part);
    expect(partLine(skipped)).toBe("skipped: part: no broker");
    expect(skipped).toMatchObject({ ok: true, counts: { passed: 0, failed: 0 } });
    expect(await run(part, true)).toMatchObject({ ok: false, counts: { passed: 0, failed: 1 } });
  });

  test("with skipped tests fails when everything is required", async () => {
    const part = { commands: [report(vitestReport(5, 0, 1))], counts: vitestCounts };
    expect(await run(part)).toMatchObject({ ok: true, counts: { skipped: 1 } });
    expect(await run(part, true)).toMatchObject({ ok: false, counts: { failed: 1 } });
  });
});

describe("a command", () => {
  /** Starts a grandchild that would live for ever, writes its id to a file and waits. */
  const family = (file: string, then: string): string[] =>
    script(
      `const child = require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "ignore" });
       fs.writeFileSync(process.argv[1], String(child.pid)); ${then}`,
      file,
    );
  const alive = (pid: number): boolean => {
    try {
      process.kill(pid, 0);
      return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
    } catch {
      return false;
    }
  };
  const pidIn = async (file: string): Promise<number> => {
    await vi.waitFor(() => expect(existsSync(file) && readFileSync(file, "utf8")).toMatch(/^\d+$/), 20_000);
    return Number(readFileSync(file, "utf8"));
  };

  test("leaves nothing behind when it ends", async () => {
    const file = join(folder, "ends.pid");
    expect((await runCommand(family(file, "process.exit(1)"), { cwd: folder, limitMs: 60_000 })).ok).toBe(false);
    const pid = await pidIn(file);
    await vi.waitFor(() => expect(alive(pid)).toBe(false), 20_000);
  });

  test("is stopped with all that it started", async () => {
    const file = join(folder, "stopped.pid");
    const ended = runCommand(family(file, "setInterval(() => {}, 1e6)"), { cwd: folder, limitMs: 60_000 });
    const pid = await pidIn(file);
    await stopCommands();
    expect((await ended).ok).toBe(false);
    await vi.waitFor(() => expect(alive(pid)).toBe(false), 20_000);
  });

  test("over its time is stopped and says so", async () => {
    const result = await runCommand(script("setInterval(() => {}, 1e6)"), { cwd: folder, limitMs: 50 });
    expect(result).toEqual({ ok: false, output: "\nstopped after 50 ms\n" });
  });

  test("that does not exist fails", async () => {
    const result = await runCommand([join(folder, "nothing")], { cwd: folder, limitMs: 60_000 });
    expect(result).toMatchObject({ ok: false, output: expect.stringContaining("ENOENT") });
  });
});

test("JUnit counts are summed over suites", () => {
  const xml = `<testsuites tests="9"><testsuite name="a" tests="5" failures="1" errors="1" skipped="1"/>
    <testsuite name="b" tests="4" failures="0" time="1"></testsuite></testsuites>`;
  expect(junitCounts(xml)).toEqual({ passed: 6, failed: 2, skipped: 1 });
  expect(() => junitCounts("{}")).toThrow(TypeError);
});

test("the summary lists the ten slowest, what was skipped and what failed, and ends with the counts", () => {
  const outcome = (name: string, durationMs: number, failed = 0, skipped: string | null = null) => ({
    name,
    ok: failed === 0,
    counts: { passed: 2, failed, skipped: 0 },
    skipped,
    durationMs,
    output: "note: seen\nnot a note: unseen\n",
  });
  const outcomes = [
    ...Array.from({ length: 11 }, (_, i) => outcome(`part ${i}`, i * 1_000, i === 4 ? 3 : 0)),
    outcome("gone", 0, 0, "why"),
  ];
  const lines = summary(outcomes).split("\n");
  expect(lines).toContain("   10.0 s  part 10");
  expect(lines.filter((line) => / s {2}part /.test(line))).toHaveLength(10);
  expect(lines).not.toContain("    0.0 s  part 0");
  expect(lines.slice(-3)).toEqual(["skipped: gone: why", "failed: part 4", "24 passed, 3 failed"]);
  expect(notes(outcomes[0] ?? outcome("none", 0))).toEqual(["note: seen"]);
});
