import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { ConformanceError } from "./errors.js";
import { LineSplitter } from "./line-splitter.js";
import { visible } from "./shorten.js";
import type { Command } from "./types.js";

/** How much of the end of stderr is kept, in bytes. */
const STDERR_BYTES = 4096;
/** How long what a dead runner's children hold of its output is waited for, in milliseconds. */
const DRAIN_MS = 1000;

/** A child process in a group of its own, spoken to in lines. */
export class RunnerProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<string>;
  #stderr: Buffer = Buffer.alloc(0);
  /** How the process ended, or null while it runs. */
  ending: string | null = null;
  /** Exit status, or null while it runs and after a signal. */
  exitCode: number | null = null;
  /** Called with each line of stdout. */
  onLine: (line: Buffer) => void = () => {};
  /** Called when a line passes the limit: nothing more of this process can be read. */
  onOverlong: () => void = () => {};
  /** Called when the process is gone and its output read; `how` says so in words. */
  onEnd: (how: string) => void = () => {};

  private constructor(child: ChildProcess) {
    this.#child = child;
    const splitter = new LineSplitter(
      (line) => this.onLine(line),
      () => this.onOverlong(),
    );
    child.stdout?.on("data", (chunk: Buffer) => splitter.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => {
      this.#stderr = Buffer.concat([this.#stderr, chunk]).subarray(-STDERR_BYTES);
    });
    // A runner that dies with input unread breaks the pipe; its end is reported by its exit.
    child.stdin?.on("error", () => {});
    this.#ended = this.#watchEnd(child).then((how) => {
      splitter.end();
      this.ending = how;
      this.onEnd(how);
      return how;
    });
  }

  /**
   * Starts a command.
   *
   * @throws {@link ConformanceError} `runner_unavailable` when it cannot be started
   */
  static async start(command: Command, cwd: string): Promise<RunnerProcess> {
    const [file, ...args] = command;
    const child = spawn(file, args, { cwd, detached: process.platform !== "win32", stdio: ["pipe", "pipe", "pipe"] });
    const runner = new RunnerProcess(child);
    try {
      await once(child, "spawn");
    } catch (cause) {
      throw new ConformanceError(
        "runner_unavailable",
        `cannot start \`${command.join(" ")}\` in ${cwd}: install \`${file}\`, or run its set-up (${(cause as Error).message})`,
        { cause },
      );
    }
    return runner;
  }

  /** The end of what the process wrote to stderr, its control characters made visible. */
  get stderr(): string {
    return visible(this.#stderr.toString("utf8").trim());
  }

  /** Writes one line. */
  send(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  /** Ends the input and waits for the process to end. */
  async finish(timeoutMs: number): Promise<"ended" | "still_running"> {
    this.#child.stdin?.end();
    const stop = new AbortController();
    const timeout = delay(timeoutMs, "still_running" as const, { signal: stop.signal }).catch(() => "ended" as const);
    const result = await Promise.race([this.#ended.then(() => "ended" as const), timeout]);
    stop.abort();
    return result;
  }

  /** Kills the process and its children, by its group's id, hears nothing more of it and waits until it is gone. */
  async kill(): Promise<void> {
    this.onLine = () => {};
    killGroup(this.#child);
    await this.#ended;
  }

  async #watchEnd(child: ChildProcess): Promise<string> {
    const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
    const how = await new Promise<string>((resolve) => {
      child.once("error", (error) => resolve(error.message));
      child.once("exit", (code, signal) => {
        this.exitCode = code;
        resolve(signal === null ? `ended with status ${code}` : `was ended by ${signal}`);
      });
    });
    if (child.pid === undefined) return how;
    const drain = setTimeout(() => {
      killGroup(child);
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, DRAIN_MS);
    await closed;
    clearTimeout(drain);
    killGroup(child);
    return how;
  }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH" && (error as NodeJS.ErrnoException).code !== "EPERM")
      throw error;
  }
}
