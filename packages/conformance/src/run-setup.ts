import { ConformanceError } from "./errors.js";
import { RunnerProcess } from "./runner-process.js";
import { cut, visible } from "./shorten.js";
import type { Command, Implementation } from "./types.js";

/** Compilers take their time; ten minutes are a fault. */
const SETUP_TIMEOUT_MS = 600_000;
/** How many of the last lines of stdout are shown when a command fails. */
const SHOWN_LINES = 12;

/**
 * Runs an implementation's set-up commands, one after the other, without input.
 *
 * @throws {@link ConformanceError} `runner_unavailable` when one cannot be started or fails
 * @throws the signal's reason when it is aborted; what was started is killed first
 */
export async function runSetup(implementation: Implementation, signal: AbortSignal | undefined): Promise<void> {
  for (const command of implementation.setup ?? []) {
    signal?.throwIfAborted();
    const failure = await runCommand(command, implementation.path, signal);
    signal?.throwIfAborted();
    if (failure === null) continue;
    const what = `set-up \`${command.join(" ")}\` of ${implementation.name} in ${implementation.path}`;
    throw new ConformanceError("runner_unavailable", `${what} ${failure}`);
  }
}

/** Null when the command ends well, else what it did, with the end of its output. */
async function runCommand(command: Command, cwd: string, signal: AbortSignal | undefined): Promise<string | null> {
  const lines: string[] = [];
  const child = await RunnerProcess.start(command, cwd);
  child.onLine = (line) => {
    lines.push(cut(visible(line.toString("utf8"))));
    if (lines.length > SHOWN_LINES) lines.shift();
  };
  const onAbort = (): void => void child.kill();
  signal?.addEventListener("abort", onAbort);
  try {
    const how = await child.finish(SETUP_TIMEOUT_MS);
    if (how === "ended" && child.exitCode === 0) return null;
    const ending = how === "ended" ? child.ending : `did not end within ${SETUP_TIMEOUT_MS} ms`;
    return [ending, ...lines, child.stderr].join("\n").trim();
  } finally {
    signal?.removeEventListener("abort", onAbort);
    await child.kill();
  }
}
