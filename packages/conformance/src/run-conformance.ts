import { resolve } from "node:path";
import { askRunner } from "./ask-runner.js";
import { ConformanceError } from "./errors.js";
import { judge } from "./judge.js";
import { activeCases } from "./load-suite.js";
import { runSetup } from "./run-setup.js";
import type {
  ConformanceReport,
  ConformanceSuite,
  Implementation,
  ImplementationResult,
  LoadedCase,
  Progress,
} from "./types.js";

/** How a run is narrowed, followed and stopped. */
export interface RunOptions {
  /** Judge these suites only. Default: every suite that the implementation claims. */
  readonly suites?: readonly string[] | undefined;
  /** Judge only cases of these operations. Default: of all. */
  readonly operations?: readonly string[] | undefined;
  /** Stops the run: the runner is killed and the signal's reason thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Called each time that a case is settled. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** How long one answer may take, in milliseconds. Default 10,000, the protocol's; other values are for tests. */
  readonly answerTimeoutMs?: number | undefined;
}

/**
 * Drives implementations through the suite, one after the other. One that is unavailable is reported so and the others
 * still run.
 *
 * @param suite - the vectors, from {@link loadSuite}
 * @param implementations - from {@link loadImplementations}, or made up for a command of one's own
 * @returns the report, for {@link formatTable}, {@link toJson} and {@link toJUnit}
 * @throws {@link ConformanceError} `suite_invalid` when there is nothing to judge
 * @throws the signal's reason when it is aborted
 */
export async function runConformance(
  suite: ConformanceSuite,
  implementations: readonly Implementation[],
  options: RunOptions = {},
): Promise<ConformanceReport> {
  const results: ImplementationResult[] = [];
  for (const implementation of implementations) results.push(await runOrReport(suite, implementation, options));
  if (results.every(({ outcome, suites }) => outcome === "passed" && suites.length === 0)) {
    throw new ConformanceError(
      "suite_invalid",
      "nothing to judge: no implementation claims a suite that has cases here",
    );
  }
  const outcomes = results.map(({ outcome }) => outcome);
  return {
    suite: { version: suite.version, digest: suite.digest, cases: activeCases(suite).length },
    outcome: (["failed", "unavailable"] as const).find((bad) => outcomes.includes(bad)) ?? "passed",
    implementations: results,
  };
}

/**
 * Drives one implementation through the suites that it claims.
 *
 * @returns what it made of them; a suite that it claims and that has no case here is left out
 * @throws {@link ConformanceError} `runner_unavailable` when its set-up fails or its runner cannot start
 * @throws the signal's reason when it is aborted
 */
export async function runImplementation(
  suite: ConformanceSuite,
  implementation: Implementation,
  options: RunOptions = {},
): Promise<ImplementationResult> {
  await runSetup(implementation, options.signal);
  const cases = casesFor(suite, implementation, options);
  const { name, language } = implementation;
  const asked = await askRunner(cases, {
    command: implementation.run,
    cwd: resolve(implementation.path),
    signal: options.signal,
    answerTimeoutMs: options.answerTimeoutMs,
    onSettled: (done) => options.onProgress?.({ implementation: name, done, total: cases.length }),
  });
  const failures = cases.flatMap((one) => judge(one, asked.replies.get(one.id)) ?? []);
  const failedIds = new Set(failures.map((failure) => failure.id));
  const passed = failures.length === 0 && asked.faults.length === 0;
  return {
    name,
    language,
    outcome: passed ? "passed" : "failed",
    suites: [...new Set(cases.map((one) => one.suite))].map((id) => {
      const ids = cases.filter((one) => one.suite === id).map((one) => one.id);
      const passedIds = ids.filter((caseId) => !failedIds.has(caseId));
      return {
        suite: id,
        passed: passedIds.length,
        failed: ids.length - passedIds.length,
        total: ids.length,
        passedIds,
      };
    }),
    failures,
    faults: asked.faults,
    restarts: asked.restarts,
    stderr: passed ? "" : asked.stderr,
    unavailable: null,
  };
}

function casesFor(
  suite: ConformanceSuite,
  implementation: Implementation,
  { suites, operations }: RunOptions,
): readonly LoadedCase[] {
  checkKnown("suite", suites, new Set(suite.cases.map((one) => one.suite)));
  checkKnown("operation", operations, new Set(suite.cases.map((one) => one.operation)));
  const claimed = implementation.suites.filter((id) => suites?.includes(id) ?? true);
  return activeCases(suite).filter(
    (one) => claimed.includes(one.suite) && (operations?.includes(one.operation) ?? true),
  );
}

function checkKnown(what: string, wanted: readonly string[] | undefined, known: ReadonlySet<string>): void {
  const unknown = wanted?.find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw new ConformanceError("suite_invalid", `no ${what} ${unknown} here: there are ${[...known].join(", ")}`);
}

async function runOrReport(
  suite: ConformanceSuite,
  implementation: Implementation,
  options: RunOptions,
): Promise<ImplementationResult> {
  try {
    return await runImplementation(suite, implementation, options);
  } catch (error) {
    if (!(error instanceof ConformanceError) || error.code !== "runner_unavailable") throw error;
    const { name, language } = implementation;
    const nothing = { suites: [], failures: [], faults: [], restarts: 0, stderr: "" };
    return { name, language, outcome: "unavailable", ...nothing, unavailable: error.message };
  }
}
