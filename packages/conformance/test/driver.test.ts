import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import {
  type ConformanceSuite,
  type Implementation,
  type ImplementationResult,
  type LoadedCase,
  runConformance,
  runImplementation,
} from "../src/index.js";

// Runners are started, killed and started again; a loaded machine takes its time over it.
vi.setConfig({ testTimeout: 60_000 });

const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

/** Twenty cases, one of them "bad"; each input holds what a careless splitter or parser breaks. */
const ids = Array.from({ length: 20 }, (_, n) => (n === 11 ? "bad" : `case-${String(n + 1).padStart(2, "0")}`));
const suite: ConformanceSuite = {
  version: "1.2.3",
  digest: "d".repeat(64),
  casesDir: "",
  cases: ids.map(echoCase),
};

function echoCase(id: string): LoadedCase {
  const input = { text: `${id} ä\u2028\r "quoted" 𝄞`, big: "z".repeat(5000), list: [1, null, { __proto: true }] };
  return {
    id,
    suite: "echo",
    operation: "echo",
    rule: "1-1",
    comment: "",
    input,
    expect: { ok: input },
    kind: "found",
    file: "",
  };
}

function implementation(script: string, mode: string): Implementation {
  const command = script.endsWith(".py") ? "python3" : process.execPath;
  return { name: mode, language: "test", path: ".", run: [command, fixture(script), mode], suites: ["echo"] };
}

function run(script: string, mode: string, answerTimeoutMs?: number): Promise<ImplementationResult> {
  return runImplementation(suite, implementation(script, mode), { answerTimeoutMs });
}

/** Everything but the named cases passed, and nothing is counted twice. */
function expectFailedOnly(result: ImplementationResult, ...failed: readonly string[]): void {
  expect(result.failures.map(({ id }) => id)).toEqual(failed);
  const [counts] = result.suites;
  expect(counts?.passedIds).toEqual(ids.filter((id) => !failed.includes(id)));
  expect(counts).toMatchObject({ suite: "echo", passed: 20 - failed.length, failed: failed.length, total: 20 });
}

/** A hang is told from a slow start by this much. */
const HANG_MS = 3000;

describe("a runner that behaves oddly and rightly", () => {
  it.each(["echoes", "out-of-order", "odd-pieces", "all-in-one-write", "crlf"])("passes: %s", async (mode) => {
    const result = await run("hostile.mjs", mode);
    expectFailedOnly(result);
    expect(result).toMatchObject({ outcome: "passed", faults: [], restarts: 0, stderr: "" });
  });
});

describe("a runner that misbehaves on one case", () => {
  it("is reported for a log line on stdout, quoted, cut and harmless to a terminal", async () => {
    const result = await run("hostile.py", "logs");
    expectFailedOnly(result);
    expect(result.outcome).toBe("failed");
    expect(result.faults).toHaveLength(1);
    expect(result.faults[0]).toMatchObject({ kind: "not_an_answer" });
    expect(result.faults[0]?.detail).toContain("DEBUG \\u001b[31mdecoding");
    expect(result.faults[0]?.detail.length).toBeLessThan(300);
  });

  it("fails a case that it answers twice", async () => {
    const result = await run("hostile.py", "answers-twice");
    expectFailedOnly(result, "bad");
    expect(result.failures[0]).toMatchObject({ reason: "answered_twice" });
  });

  it("fails the case that it crashes on, with the end of stderr", async () => {
    const result = await run("hostile.mjs", "crashes");
    expectFailedOnly(result, "bad");
    expect(result.failures[0]).toMatchObject({ reason: "crash" });
    expect(result.failures[0]?.detail).toContain("ended with status 101");
    expect(result.failures[0]?.detail).toContain("panic: index out of range");
    expect(result.stderr).toContain("panic: index out of range");
  });

  it("names the signal that ended it", async () => {
    const result = await run("hostile.mjs", "kills-itself");
    expectFailedOnly(result, "bad");
    expect(result.failures[0]?.detail).toContain("SIGSEGV");
  });

  it("fails a case that it calls unsupported", async () => {
    const result = await run("hostile.mjs", "unsupported");
    expectFailedOnly(result, "bad");
    expect(result.failures[0]).toMatchObject({ reason: "unsupported" });
  });

  it("fails the case that its line names when that is no answer, at once", async () => {
    for (const mode of ["answers-nan", "answers-nothing"]) {
      const result = await run("hostile.mjs", mode);
      expectFailedOnly(result, "bad");
      expect(result.failures[0]).toMatchObject({ reason: "not_an_answer", got: expect.stringContaining('"id":"bad"') });
      expect(result).toMatchObject({ faults: [], restarts: 0 });
    }
  });

  it("may answer 40 MB: compared, and shown cut", async () => {
    const result = await run("hostile.mjs", "answers-40-mb");
    expectFailedOnly(result, "bad");
    expect(result.failures[0]).toMatchObject({ reason: "mismatch" });
    expect(result.failures[0]?.got?.length).toBeLessThan(400);
    expect(result.restarts).toBe(0);
  });

  it("is stopped in a line over 64 MiB", async () => {
    const result = await run("hostile.mjs", "writes-an-endless-line");
    expectFailedOnly(result, "bad");
    expect(result.failures[0]?.detail).toContain("67108864 bytes");
  });

  it("leaves no child behind", async () => {
    const result = await run("hostile.mjs", "leaves-a-child");
    expectFailedOnly(result, "bad");
    const port = Number(/"port":(\d+)/.exec(result.failures[0]?.got ?? "")?.[1]);
    await expect.poll(() => isListening(port)).toBe(false);
  });
});

// These wait, and do little else.
describe.concurrent("a runner that does not answer", () => {
  it("fails the case that it hangs on, and only that", async () => {
    const result = await run("hostile.py", "hangs", HANG_MS);
    expectFailedOnly(result, "bad");
    expect(result.failures[0]).toMatchObject({ reason: "no_answer", got: null });
    expect(result.faults).toEqual([]);
    expect(result.restarts).toBe(2);
  });

  it("fails a case that it never answers while it answers the others", async () => {
    const result = await run("hostile.py", "hangs-beside", HANG_MS);
    expectFailedOnly(result, "bad");
    expect(result.failures[0]).toMatchObject({ reason: "no_answer" });
  });

  it("is judged on the rest when it logs, hangs and answers twice at once", async () => {
    const result = await run("hostile.py", "everything", HANG_MS);
    expectFailedOnly(result, "case-03", "case-05");
    expect(result.failures.map(({ reason }) => reason)).toEqual(["answered_twice", "no_answer"]);
    expect(result.faults).toEqual([{ kind: "not_an_answer", detail: expect.stringContaining("decoding") }]);
  });

  it("is judged on all others when it hangs on several in a row", async () => {
    const result = await run("hostile.mjs", "hangs-on-three", HANG_MS);
    expectFailedOnly(result, "case-09", "case-10", "case-11");
    expect(new Set(result.failures.map(({ reason }) => reason))).toEqual(new Set(["no_answer"]));
    expect(result.faults).toEqual([]);
  });

  it("is reported for an answer to a request that was not made", async () => {
    const result = await run("hostile.mjs", "answers-another", HANG_MS);
    expectFailedOnly(result, "bad");
    expect(result.faults[0]?.detail).toContain('"who"');
  });
});

describe("a runner that is broken altogether", () => {
  it("fails every case when it exits at once, and says why", async () => {
    const result = await run("hostile.mjs", "exits-at-once");
    expect(result.suites[0]).toMatchObject({ passed: 0, failed: 20 });
    expect(result.failures[0]?.detail).toContain("Cannot find module 'decoder'");
    expect(result.faults.at(-1)).toMatchObject({ kind: "given_up" });
  });

  it("is reported for a crash that no single case brings about", async () => {
    const result = await run("hostile.mjs", "crashes-after-ten");
    expectFailedOnly(result);
    expect(result.outcome).toBe("failed");
    expect(result.faults[0]).toMatchObject({ kind: "crash", detail: expect.stringContaining("with none alone") });
  });

  it("ends when it hangs on everything, after a bounded number of starts", async () => {
    const result = await run("hostile.mjs", "hangs-on-all", 300);
    expect(result.suites[0]).toMatchObject({ passed: 0, failed: 20 });
    expect(new Set(result.failures.map(({ reason }) => reason))).toEqual(new Set(["no_answer", "not_judged"]));
    expect(result.faults.at(-1)?.detail).toMatch(/given up after \d+ starts of the runner, \d+ cases not judged/);
  });

  it("is judged through a flood of noise, of which a little is kept", async () => {
    const result = await run("hostile.mjs", "floods");
    expectFailedOnly(result);
    expect(result.outcome).toBe("failed");
    expect(result.faults.length).toBeLessThan(30);
    expect(result.faults.at(-1)?.detail).toBe("980 more lines that are not answers");
  });

  it("is reported when it fails or stays at the end of its input", async () => {
    const failing = await run("hostile.mjs", "fails-at-eof");
    expectFailedOnly(failing);
    expect(failing.faults).toEqual([{ kind: "exit", detail: expect.stringContaining("ended with status 3") }]);
    const staying = await run("hostile.mjs", "stays-after-eof", HANG_MS);
    expectFailedOnly(staying);
    expect(staying.faults).toEqual([{ kind: "exit", detail: expect.stringContaining("did not end") }]);
  });

  it("is unavailable when it cannot start or be set up, and the others still run", async () => {
    const good = implementation("hostile.mjs", "echoes");
    const missing: Implementation = { ...good, name: "missing", run: ["no-such-command-here"] };
    const unset: Implementation = {
      ...good,
      name: "unset",
      setup: [[process.execPath, "-e", "console.error('no compiler'); process.exit(9)"]],
    };
    await expect(runImplementation(suite, missing)).rejects.toMatchObject({
      name: "ConformanceError",
      code: "runner_unavailable",
      message: expect.stringContaining("install `no-such-command-here`"),
    });
    const report = await runConformance(suite, [missing, unset, good]);
    expect(report.outcome).toBe("unavailable");
    expect(report.implementations.map(({ outcome }) => outcome)).toEqual(["unavailable", "unavailable", "passed"]);
    expect(report.implementations[1]?.unavailable).toContain("no compiler");
  });
});

describe("a run", () => {
  it("stops when its signal is aborted", async () => {
    const stop = new AbortController();
    const reason = new Error("enough");
    const running = runImplementation(suite, implementation("hostile.py", "hangs"), {
      signal: stop.signal,
      onProgress: () => stop.abort(reason),
    });
    await expect(running).rejects.toBe(reason);
  });

  it("stops during the set-up when its signal is aborted, with what the set-up started", async () => {
    const stop = new AbortController();
    const reason = new Error("enough");
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const call = `require("net").connect(${port}, "127.0.0.1")`;
    const setup = [
      [process.execPath, "-e", `require("child_process").spawn(process.execPath, ["-e", '${call}'])`],
    ] as const;
    const running = runImplementation(
      suite,
      { ...implementation("hostile.mjs", "echoes"), setup },
      { signal: stop.signal },
    );
    const [socket] = (await once(server, "connection")) as [Socket];
    const gone = once(
      socket.resume().on("error", () => {}),
      "close",
    );
    stop.abort(reason);
    await expect(running).rejects.toBe(reason);
    await gone;
    server.close();
  });

  it("tells its progress up to the end", async () => {
    const seen: number[] = [];
    await runImplementation(suite, implementation("hostile.mjs", "echoes"), {
      onProgress: ({ done }) => seen.push(done),
    });
    expect(seen).toEqual(ids.map((_, index) => index + 1));
  });

  it("refuses to judge nothing", async () => {
    const other: Implementation = { ...implementation("hostile.mjs", "echoes"), suites: ["elsewhere"] };
    await expect(runConformance(suite, [other])).rejects.toMatchObject({ code: "suite_invalid" });
    await expect(runConformance(suite, [other], { suites: ["nowhere"] })).rejects.toMatchObject({
      code: "suite_invalid",
    });
  });

  it("does not judge retired cases", async () => {
    const [first, ...rest] = suite.cases as readonly [LoadedCase, ...LoadedCase[]];
    const retired = {
      ...suite,
      cases: [{ ...first, retired: "asks for the impossible", expect: { ok: {} } }, ...rest],
    };
    const result = await runImplementation(retired, implementation("hostile.mjs", "echoes"));
    expect(result.suites[0]).toMatchObject({ passed: 19, failed: 0, total: 19 });
  });
});

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
    socket.unref();
  });
}
