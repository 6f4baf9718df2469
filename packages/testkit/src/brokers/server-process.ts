import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { Launch } from "./kind.js";

/** Time between asking a server to end and killing it. */
const GRACE_MS = 20_000;

/**
 * Reads until this process closes the pipe, which the system does for it however it dies; then ends the server's
 * group and removes its folder.
 */
const GUARD = 'trap "" HUP INT TERM; read -r _; kill -s KILL -- "-$1"; rm -rf -- "$2"';

/** A server's process group. It does not outlive this process. */
export class ServerProcess {
  readonly pid: number;
  /** Resolves when the leader has ended. */
  readonly ended: Promise<void>;
  readonly #guard: ChildProcess;
  readonly #stopSignal: NodeJS.Signals;
  #over = false;

  /**
   * Starts a server.
   *
   * @param launch - its command and user
   * @param options - `folder`: its working directory; `log`: the file that its output is added to
   * @throws Error when the program cannot be started
   */
  constructor(launch: Launch, options: { readonly folder: string; readonly log: string }) {
    const [program, ...args] = launch.command;
    this.#stopSignal = launch.stopSignal ?? "SIGTERM";
    const log = openSync(options.log, "a");
    const child = spawn(program, args, {
      cwd: options.folder,
      env: { ...process.env, ...launch.env, SINKWIRE_BROKER_FOLDER: options.folder },
      stdio: ["ignore", log, log],
      detached: true,
      ...launch.user,
    });
    closeSync(log);
    this.ended = new Promise((resolve) => {
      child.once("exit", () => {
        this.#over = true;
        resolve();
      });
    });
    child.once("error", () => {});
    if (child.pid === undefined) throw new Error(`${program} cannot be started`);
    this.pid = child.pid;
    this.#guard = spawn("sh", ["-c", GUARD, "guard", String(this.pid), options.folder], {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    child.unref();
    this.#guard.unref();
    const pipe = this.#guard.stdin;
    if (pipe !== null && "unref" in pipe && typeof pipe.unref === "function") pipe.unref();
  }

  /** Whether the leader has ended. */
  get over(): boolean {
    return this.#over;
  }

  /** Sends a signal to all of the group, and to the leader's children that left it. Nothing happens when it has ended. */
  signal(name: NodeJS.Signals): void {
    for (const target of [-this.pid, ...this.#strays()]) {
      try {
        process.kill(target, name);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    }
  }

  /** PostgreSQL's children lead sessions of their own. */
  #strays(): number[] {
    if (this.#over) return [];
    const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,pgid="], { encoding: "utf8" });
    const rows = stdout.split("\n").map((line) => line.trim().split(/\s+/).map(Number));
    return rows.flatMap(([pid = 0, parent, group]) => (parent === this.pid && group !== this.pid ? [pid] : []));
  }

  /**
   * Ends the group, frozen or not. Resolves when its leader has ended and the rest was killed.
   *
   * @param how - `in-order` asks first and kills after 20 s; `at-once` kills
   */
  async end(how: "in-order" | "at-once"): Promise<void> {
    let force: NodeJS.Timeout | undefined;
    if (how === "in-order" && !this.#over) {
      this.signal("SIGCONT");
      this.signal(this.#stopSignal);
      force = setTimeout(() => this.signal("SIGKILL"), GRACE_MS);
    } else {
      this.signal("SIGKILL");
    }
    await this.ended;
    clearTimeout(force);
    this.signal("SIGKILL");
    this.#guard.kill("SIGKILL");
  }
}
