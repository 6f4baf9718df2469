#!/usr/bin/env node
import { constants } from "node:os";
import type { ConformanceErrorCode } from "@sinkwire/conformance";
import { isSinkwireError } from "@sinkwire/message";
import { CommanderError } from "commander";
import { EXIT, type ExitCode, OutputClosed, OutputFailed, Unreachable, UsageError } from "./io/exit.js";
import { Output } from "./io/output.js";
import { printable, styleFor } from "./io/style.js";
import { buildProgram, VersionAsked } from "./program.js";
import type { Shell } from "./shell.js";
import { versionText } from "./version.js";

/** The command was told to stop; the exit code says by which signal, as shells do. */
class Interrupted extends Error {
  constructor(readonly signalNumber: number) {
    super("interrupted");
  }
}

/** What the flags or a configuration said that cannot be used. */
const USAGE_CODES: readonly string[] = ["invalid_hook", "invalid_channel"];

/** Codes of errors that are told in plain words. */
const PLAIN_CODES: readonly string[] = ["usage", "unreachable", "output", "system"];

const CONFORMANCE_EXIT: Readonly<Record<ConformanceErrorCode, ExitCode>> = {
  suite_unreadable: EXIT.usage,
  suite_invalid: EXIT.refused,
  unknown_case: EXIT.usage,
  runner_unavailable: EXIT.unavailable,
  generate_failed: EXIT.refused,
};

const STOP_SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** What the system says of an output that it cannot take, rather than of a path that cannot be used. */
const WRITE_FAULTS: readonly string[] = ["ENOSPC", "EDQUOT", "EROFS", "EFBIG", "EIO"];

const stop = new AbortController();
for (const name of STOP_SIGNALS) process.once(name, interrupt);
process.stderr.on("error", () => stop.abort(new OutputClosed("standard error", EXIT.refused)));

const shell: Shell = {
  out: new Output(process.stdout, stop),
  style: styleFor(process.stdout, process.env),
  err: process.stderr,
  errStyle: styleFor(process.stderr, process.env),
  signal: stop.signal,
  exitCode: EXIT.ok,
  json: asksForJson(process.argv), // the flags' own errors are JSON, too
  advice: null,
};

process.exitCode = await run(() => buildProgram(shell).parseAsync());

async function run(work: () => Promise<unknown>): Promise<number> {
  try {
    await work();
    await shell.out.flush();
    return shell.exitCode;
  } catch (error) {
    if (error instanceof VersionAsked) return run(async () => shell.out.line(await versionText()));
    try {
      await shell.out.flush(); // what was done before
    } catch (failure) {
      return exitCodeOf(failure);
    }
    return exitCodeOf(error);
  }
}

/** The first signal ends the work in good order, the second ends it at once. */
function interrupt(name: (typeof STOP_SIGNALS)[number]): void {
  for (const each of STOP_SIGNALS) process.removeListener(each, interrupt);
  stop.abort(new Interrupted(constants.signals[name]));
}

function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return argv.slice(2, end === -1 ? undefined : end).includes("--json");
}

async function exitCodeOf(error: unknown): Promise<number> {
  if (error instanceof OutputClosed) return error.exitCode;
  if (error instanceof OutputFailed) return complain("output", error.message, EXIT.unavailable);
  if (error instanceof Interrupted) return 128 + error.signalNumber;
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT.ok;
    const message = error.code === "commander.help" ? "no verb is given" : error.message.replace(/^error: /, "");
    return tell("usage", message, EXIT.usage, {}); // it has said so in words itself
  }
  if (error instanceof UsageError) return complain("usage", error.message, EXIT.usage);
  if (error instanceof Unreachable) return complain("unreachable", error.message, EXIT.unavailable);
  if (isSinkwireError(error)) {
    const { code, field, retryable, docs } = error;
    const exit = retryable ? EXIT.unavailable : USAGE_CODES.includes(code) ? EXIT.usage : EXIT.refused;
    return complain(code, error.message, exit, { field, retryable, docs });
  }
  const { ConformanceError } = await import("@sinkwire/conformance");
  if (error instanceof ConformanceError) return complain(error.code, error.message, CONFORMANCE_EXIT[error.code]);
  if (error instanceof Error && "syscall" in error && "code" in error) {
    return complain("system", error.message, WRITE_FAULTS.includes(String(error.code)) ? EXIT.unavailable : EXIT.usage);
  }
  const stack = error instanceof Error ? error.stack : String(error);
  process.stderr.write(`sinkwire: this is a fault of sinkwire itself\n${stack}\n`);
  return EXIT.bug;
}

async function complain(
  code: string,
  message: string,
  exit: ExitCode,
  more: Readonly<Record<string, unknown>> = {},
): Promise<ExitCode> {
  const words = PLAIN_CODES.includes(code) ? message : `${code}: ${message}`;
  process.stderr.write(`${shell.errStyle("red", "sinkwire:")} ${printable(words)}\n`);
  if (shell.advice !== null) process.stderr.write(`  → ${printable(shell.advice)}\n`);
  return tell(code, message, exit, more);
}

/** Writes an error as JSON, where JSON was asked for. */
async function tell(
  code: string,
  message: string,
  exit: ExitCode,
  more: Readonly<Record<string, unknown>>,
): Promise<ExitCode> {
  if (shell.json) {
    try {
      await shell.out.write(`${JSON.stringify({ error: { code, message, ...more } })}\n`);
    } catch (failure) {
      if (failure instanceof OutputClosed) return failure.exitCode;
    }
  }
  return exit;
}
