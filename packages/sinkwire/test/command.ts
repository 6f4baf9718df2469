import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished, vi } from "vitest";

// A busy machine takes its time to start a process.
vi.setConfig({ testTimeout: 60_000 });

/** The built command. */
export const BIN: string = fileURLToPath(new URL("../dist/cli.js", import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface StartOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the built command; it is killed at the end of the test at the latest. */
export function start(args: readonly string[], options: StartOptions = {}): ChildProcessWithoutNullStreams {
  return spawnNode([BIN, ...args], options);
}

/** Starts Node; it is killed at the end of the test at the latest. */
export function spawnNode(args: readonly string[], { cwd, env }: StartOptions): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, ...env } });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return child;
}

/** Waits for the end of a started command, keeping what it wrote. */
export async function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((done, fail) => {
    child.once("error", fail);
    child.once("close", (...how) => done(how));
  });
  return { code, signal, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() };
}

/** Runs the built command to its end. */
export function sinkwire(
  args: readonly string[],
  input: string | Uint8Array = "",
  options: StartOptions = {},
): Promise<Ended> {
  const child = start(args, options);
  child.stdin.on("error", () => {}); // it may end without having read all
  child.stdin.end(input);
  return ended(child);
}

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "sinkwire-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
