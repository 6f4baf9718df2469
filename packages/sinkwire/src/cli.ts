#!/usr/bin/env node
import { constants } from "node:os";
import type { ConformanceErrorCode } from "@sinkwire/conformance";
import { isSinkwireError } from "@sinkwire/message";
import { CommanderError } from "commander";
import { EXIT, type ExitCode, OutputClosed, UsageError } from "./io/exit.js";
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

const CONFORMANCE_EXIT: Readonly<Record<ConformanceErrorCode, ExitCode>> = {
  suite_unreadable: EXIT.usage,
  suite_invalid: EXIT.refused,
  unknown_case: EXIT.usage,
  runner_unavailable: EXIT.unavailable,
  generate_failed: EXIT.refused,
};

const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.once(name, () => stop.abort(new Interrupted(constants.signals[name])));
}
process.stderr.on("error", () => {}); // nobody reads the complaints: not a reason to fail

const shell: Shell = {
  out: new Output(process.stdout, stop),
  style: styleFor(process.stdout, process.env),
  err: process.stderr,
  errStyle: styleFor(process.stderr, process.env),
  signal: stop.signal,
  exitCode: EXIT.ok,
  json: false,
};

process.exitCode = await run(() => buildProgram(shell).parseAsync());

async function run(work: () => Promise<unknown>): Promise<number> {
  try {
    await work();
    await shell.out.flush();
    return shell.exitCode;
  } catch (error) {
    return error instanceof VersionAsked ? run(async () => shell.out.line(await versionText())) : exitCodeOf(error);
  }
}

async function exitCodeOf(error: unknown): Promise<number> {
  if (error instanceof OutputClosed) return EXIT.ok;
  if (error instanceof Interrupted) return 128 + error.signalNumber;
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage; // it has shown the reason itself
  if (error instanceof UsageError) return complain("usage", error.message, EXIT.usage);
  if (isSinkwireError(error)) {
    const { code, field, retryable, docs } = error;
    const exit = retryable ? EXIT.unavailable : USAGE_CODES.includes(code) ? EXIT.usage : EXIT.refused;
    return complain(code, error.message, exit, { field, retryable, docs });
  }
  const { ConformanceError } = await import("@sinkwire/conformance");
  if (error instanceof ConformanceError) return complain(error.code, error.message, CONFORMANCE_EXIT[error.code]);
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
  process.stderr.write(
    `${shell.errStyle("red", "sinkwire:")} ${printable(code === "usage" ? message : `${code}: ${message}`)}\n`,
  );
  if (shell.json) {
    try {
      await shell.out.write(`${JSON.stringify({ error: { code, message, ...more } })}\n`);
    } catch {
      return EXIT.ok; // nobody reads it
    }
  }
  return exit;
}
