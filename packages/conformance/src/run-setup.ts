import { execFile } from "node:child_process";
import { ConformanceError } from "./errors.js";
import { cut, visible } from "./shorten.js";
import type { Implementation } from "./types.js";

/** Compilers take their time; ten minutes are a fault. */
const SETUP_TIMEOUT_MS = 600_000;
/** Most output of a set-up command, in bytes. */
const SETUP_OUTPUT_BYTES: number = 16 * 1024 * 1024;

/**
 * Runs an implementation's set-up commands, one after the other.
 *
 * @throws {@link ConformanceError} `runner_unavailable` when one cannot be started or fails
 * @throws the signal's reason when it is aborted
 */
export async function runSetup(implementation: Implementation, signal: AbortSignal | undefined): Promise<void> {
  for (const [file, ...args] of implementation.setup ?? []) {
    await new Promise<void>((resolve, reject) => {
      const options = { cwd: implementation.path, timeout: SETUP_TIMEOUT_MS, maxBuffer: SETUP_OUTPUT_BYTES, signal };
      execFile(file, args, options, (cause, stdout, stderr) => {
        if (cause === null) return resolve();
        if (signal?.aborted) return reject(signal.reason);
        const command = [file, ...args].join(" ");
        const output = cut(visible(`${stdout}\n${stderr}`.trim()), 1000);
        const message = `set-up \`${command}\` of ${implementation.name} failed: ${cause.message.split("\n", 1)[0]}\n${output}`;
        reject(new ConformanceError("runner_unavailable", message.trim(), { cause }));
      });
    });
  }
}
