import { type ChildProcess, spawn } from "node:child_process";

/** Characters of output that are kept, from the end. */
const TAIL = 200_000;
/** Time between asking a process group to end and killing it. */
const GRACE_MS = 3_000;

const running = new Set<ChildProcess>();

/** How a command ended. */
export interface CommandResult {
  readonly ok: boolean;
  /** Standard output and error as they came, the last 200,000 characters. */
  readonly output: string;
}

/**
 * Runs a command in a process group of its own, and ends whatever is left of the group when the command has ended.
 *
 * @param command - the program and its arguments
 * @param options - `cwd`; `env`, added to this process's; `limitMs`, after which the group is stopped
 * @returns the result; never rejects
 */
export function runCommand(
  command: readonly string[],
  options: { readonly cwd: string; readonly env?: Record<string, string>; readonly limitMs: number },
): Promise<CommandResult> {
  const [program = "", ...args] = command;
  return new Promise((resolve) => {
    let output = "";
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    running.add(child);
    const keep = (text: string): void => {
      output = (output + text).slice(-TAIL);
    };
    const limit = setTimeout(() => {
      keep(`\nstopped after ${options.limitMs} ms\n`);
      void stop(child);
    }, options.limitMs);
    child.stdout.setEncoding("utf8").on("data", keep);
    child.stderr.setEncoding("utf8").on("data", keep);
    child.on("exit", () => signalGroup(child, "SIGKILL"));
    child.on("error", (error) => keep(`${program}: ${error.message}\n`));
    child.on("close", (code) => {
      clearTimeout(limit);
      running.delete(child);
      resolve({ ok: code === 0, output });
    });
  });
}

/** Ends every command that is still running, and the processes that it started. Resolves when they have ended. */
export async function stopCommands(): Promise<void> {
  await Promise.all([...running].map(stop));
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  signalGroup(child, "SIGTERM");
  const force = setTimeout(() => signalGroup(child, "SIGKILL"), GRACE_MS);
  await ended;
  clearTimeout(force);
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The whole group has ended already.
  }
}
