import { execFile } from "node:child_process";
import type { WaitOptions } from "./types.js";

/** Options of {@link runTool}. */
export interface ToolOptions extends WaitOptions {
  readonly cwd?: string;
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** The tool is killed after so long. Default 600,000: a first download or build on a slow machine. */
  readonly limitMs?: number;
}

/**
 * Runs a program to its end.
 *
 * @returns what it printed, standard output then standard error
 * @throws Error with the end of that when it fails or is killed
 */
export function runTool(program: string, args: readonly string[], options: ToolOptions = {}): Promise<string> {
  const { cwd, env, signal, limitMs = 600_000 } = options;
  return new Promise((resolve, reject) => {
    const settings = { cwd, signal, timeout: limitMs, maxBuffer: 2 ** 26, env: { ...process.env, ...env } };
    execFile(program, args, settings, (error, stdout, stderr) => {
      if (error === null) resolve(stdout + stderr);
      else if (signal?.aborted === true) reject(signal.reason);
      else reject(new Error(`${program} failed: ${tail(stdout + stderr) || error.message}`, { cause: error }));
    });
  });
}

/** The last lines of a log, on one line. */
export function tail(text: string): string {
  return text
    .trim()
    .split(/\s*\n\s*/)
    .slice(-6)
    .join(" | ")
    .slice(-1_000);
}
