import { Exchange, type Reply } from "./exchange.js";
import { RunnerProcess } from "./runner-process.js";
import { type RunnerRequest, type Stop, takeTurn } from "./take-turn.js";
import type { Command, RunFault } from "./types.js";

/** The time of the protocol, from when a request is sent or has become the oldest one under way. */
const ANSWER_TIMEOUT_MS = 10_000;
/** Most starts of a runner after the first in one run: what it still hangs or crashes on then is not judged. */
const MAX_RESTARTS = 64;
/** Starts after which a runner that has not answered anything is given up: it is broken altogether. */
const MAX_SILENT_STARTS = 5;

/** How a runner is started and for how long it is waited for. */
export interface AskOptions {
  readonly command: Command;
  /** Working folder of the command. */
  readonly cwd: string;
  readonly signal?: AbortSignal | undefined;
  /** For tests of the driver alone. Default 10,000. */
  readonly answerTimeoutMs?: number | undefined;
  /** Called with the number of settled requests. */
  readonly onSettled?: ((settled: number) => void) | undefined;
}

/** Every request's reply, and what went wrong beside them. */
export interface Asked {
  readonly replies: ReadonlyMap<string, Reply>;
  readonly faults: readonly RunFault[];
  readonly restarts: number;
  readonly stderr: string;
}

/** A stop with several requests under way, and whether one of them was found guilty since. */
interface Suspicion {
  readonly stop: Stop;
  explained: boolean;
}

/**
 * Puts requests to a runner and collects its answers, whatever it does: a runner that ends or falls silent is started
 * anew. The requests that it held then are put again after all others, one at a time, so only the guilty one pays.
 *
 * @throws {@link ConformanceError} `runner_unavailable` when the command cannot be started
 * @throws the signal's reason when it is aborted; the runner is killed first
 */
export async function askRunner(requests: readonly RunnerRequest[], options: AskOptions): Promise<Asked> {
  const timeoutMs = options.answerTimeoutMs ?? ANSWER_TIMEOUT_MS;
  const exchange = new Exchange((settled) => options.onSettled?.(settled));
  const waiting = [...requests];
  const suspects: RunnerRequest[] = [];
  const suspicions = new Map<string, Suspicion>();
  let runner: RunnerProcess | null = null;
  let starts = 0;
  let stderr = "";

  try {
    while (waiting.length + suspects.length > 0) {
      options.signal?.throwIfAborted();
      if (runner === null) {
        if (starts > MAX_RESTARTS || (starts >= MAX_SILENT_STARTS && exchange.isSilent)) break;
        runner = await RunnerProcess.start(options.command, options.cwd);
        runner.onLine = (line) => exchange.line(line);
        starts += 1;
      }
      const queue: RunnerRequest[] = waiting.length > 0 ? waiting : suspects.splice(0, 1);
      const stop: Stop | null = await takeTurn(runner, queue, exchange, { timeoutMs, signal: options.signal });
      if (queue !== waiting) suspects.unshift(...queue);
      if (stop === null) continue;
      await runner.kill();
      stderr = runner.stderr || stderr;
      runner = null;
      accuse(stop);
    }
    giveUp([...waiting, ...suspects]);
    if (runner !== null) await finish(runner);
  } finally {
    await runner?.kill();
  }
  for (const { stop, explained } of new Set(suspicions.values())) {
    const { kind, detail, underWay } = stop;
    if (!explained)
      exchange.fault(kind, `the runner ${detail} with ${underWay.length} requests under way, with none alone`);
  }
  return { replies: exchange.replies, faults: exchange.faults, restarts: Math.max(0, starts - 1), stderr };

  /** One request under way is the guilty one; several are put again, each alone. */
  function accuse(stop: Stop): void {
    const [first, ...others] = stop.underWay;
    if (first === undefined) exchange.fault(stop.kind, `the runner ${stop.detail} with no request under way`);
    else if (others.length > 0) {
      const suspicion = { stop, explained: false };
      for (const { id } of stop.underWay) suspicions.set(id, suspicion);
      suspects.push(...stop.underWay);
    } else {
      exchange.settle(first.id, { kind: stop.kind, detail: withStderr(`the runner ${stop.detail}`, stderr) });
      const suspicion = suspicions.get(first.id);
      if (suspicion !== undefined) suspicion.explained = true;
    }
  }

  function giveUp(left: readonly RunnerRequest[]): void {
    if (left.length === 0) return;
    const detail = `given up after ${starts} starts of the runner`;
    for (const { id } of left) exchange.settle(id, { kind: "not_judged", detail: withStderr(detail, stderr) });
    for (const suspicion of suspicions.values()) suspicion.explained = true;
    exchange.fault("given_up", `${detail}, ${left.length} cases not judged`);
  }

  /** Ends the input: a runner has to end at EOF, in good order and without another word. */
  async function finish(process: RunnerProcess): Promise<void> {
    const how = await process.finish(timeoutMs);
    if (how === "still_running")
      exchange.fault("exit", `the runner did not end within ${timeoutMs} ms of the end of its input`);
    else if (process.exitCode !== 0) exchange.fault("exit", `the runner ${process.ending} at the end of its input`);
    else return;
    stderr = process.stderr || stderr;
  }
}

function withStderr(detail: string, stderr: string): string {
  return stderr === "" ? detail : `${detail}; stderr: ${stderr.slice(-600)}`;
}
