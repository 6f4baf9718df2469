import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import type { ConformanceReport, ConformanceSuite, Implementation } from "@sinkwire/conformance";
import { EXIT, type ExitCode, OutputFailed, UsageError } from "../io/exit.js";
import { parseRepeated } from "../io/flags.js";
import type { Shell } from "../shell.js";

const EXAMPLES = `
Examples:
  $ sinkwire conformance run
  $ sinkwire conformance run --only typescript --suite message
  $ sinkwire conformance run --suite message -- ruby decoder.rb
  $ sinkwire conformance run --operation decode_message -- ruby decoder.rb
  $ sinkwire conformance run --junit report.xml --report report.json -- ./my-runner

A runner reads one JSON request a line on standard input, {"id", "operation", "input"}, and answers one line each,
{"id", "ok": …}, {"id", "error": {"code", "field", "retryable"}} or {"id", "unsupported": true}, in any order; it ends
when its input ends. Its standard error is its own.`;

const EXIT_OF: Readonly<Record<ConformanceReport["outcome"], ExitCode>> = {
  passed: EXIT.ok,
  failed: EXIT.refused,
  unavailable: EXIT.unavailable,
};

/** Adds `conformance run`: judges implementations by the vectors. */
export function addConformanceRun(conformance: Command, shell: Shell): void {
  conformance
    .command("run")
    .description("Judge implementations by the vectors: those of the repository, or one command.")
    .argument("[command...]", "after --, the runner of an outside implementation")
    .option("--suite <name>", "judge this suite only; may be repeated", parseRepeated)
    .option("--operation <name>", "judge cases of this operation only; may be repeated", parseRepeated)
    .option("--only <name>", "run this implementation only; may be repeated", parseRepeated)
    .option("--cases <folder>", "use the cases of this folder")
    .option("--junit <file>", "write JUnit XML to this file")
    .option("--report <file>", "write the JSON report to this file")
    .option("--json", "write the JSON report instead of the table")
    .addHelpText("after", EXAMPLES)
    .action(async (command, { suite: suites, operation: operations, only, cases, junit, report: reportFile, json }) => {
      shell.json = json === true;
      if (only !== undefined && command.length > 0) {
        throw new UsageError("--only picks from the repository's implementations: it does not go with a command");
      }
      const { formatTable, loadImplementations, loadSuite, runConformance, toJson, toJUnit } = await import(
        "@sinkwire/conformance"
      );
      const suite = loadSuite({ casesDir: cases });
      checkNames("suite", suites ?? [], suiteNames(suite));
      checkNames("operation", operations ?? [], namesOf(suite.cases.map((one) => one.operation)));
      const implementations =
        command.length > 0 ? [outside(command, suites ?? suiteNames(suite))] : chosen(loadImplementations(), only);
      const report = await runConformance(suite, implementations, {
        suites,
        operations,
        signal: shell.signal,
        onProgress: showProgress(shell),
      });
      if (junit !== undefined) save(junit, toJUnit(report));
      if (reportFile !== undefined) save(reportFile, toJson(report));
      await shell.out.line((json === true ? toJson(report) : formatTable(report)).trimEnd());
      shell.exitCode = EXIT_OF[report.outcome];
    });
}

function outside(command: readonly string[], suites: readonly string[]): Implementation {
  const [program = "", ...args] = command;
  return {
    name: basename(args.at(-1) ?? program),
    language: basename(program),
    path: process.cwd(),
    run: [program, ...args],
    suites,
  };
}

function chosen(all: readonly Implementation[], only: readonly string[] | undefined): readonly Implementation[] {
  const unknown = only?.find((name) => !all.some((one) => one.name === name));
  if (unknown !== undefined) {
    throw new UsageError(`there is no implementation ${unknown}; there are ${all.map(({ name }) => name).join(", ")}`);
  }
  return only === undefined ? all : all.filter(({ name }) => only.includes(name));
}

function checkNames(what: string, wanted: readonly string[], names: readonly string[]): void {
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new UsageError(`there is no ${what} ${unknown}; there are ${names.join(", ")}`);
}

function suiteNames({ cases }: ConformanceSuite): string[] {
  return namesOf(cases.map(({ suite }) => suite));
}

function namesOf(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

function save(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (cause) {
    throw new OutputFailed(file, cause);
  }
}

function showProgress({
  err,
}: Shell): ((progress: { implementation: string; done: number; total: number }) => void) | undefined {
  if (err.isTTY !== true) return undefined;
  return ({ implementation, done, total }) => {
    err.write(done === total ? "\r\x1b[K" : `\r${implementation}: ${done} of ${total}\x1b[K`);
  };
}
