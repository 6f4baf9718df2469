import { askRunner } from "../ask-runner.js";
import { Exchange, type Reply } from "../exchange.js";
import { RunnerProcess } from "../runner-process.js";
import { type RunnerRequest, takeTurn } from "../take-turn.js";
import type { Implementation, RunFault } from "../types.js";

/** The time of the protocol for one answer. */
const ANSWER_TIMEOUT_MS = 10_000;

/** Replies by request id, and what went wrong beside them. */
export interface SessionAnswers {
  readonly replies: ReadonlyMap<string, Reply>;
  readonly faults: readonly RunFault[];
}

/** A runner that stays alive from batch to batch, so that its start is paid once. */
export class RunnerSession {
  readonly #implementation: Implementation;
  readonly #signal: AbortSignal | undefined;
  #runner: RunnerProcess | null = null;

  constructor(implementation: Implementation, signal: AbortSignal | undefined) {
    this.#implementation = implementation;
    this.#signal = signal;
  }

  /**
   * Puts requests to the runner. One that ends or falls silent is replaced, and the batch is asked again in the careful
   * way, which finds the request that did it.
   */
  async ask(requests: readonly RunnerRequest[]): Promise<SessionAnswers> {
    const { run, path } = this.#implementation;
    this.#runner ??= await RunnerProcess.start(run, path);
    const runner = this.#runner;
    const exchange = new Exchange(() => {});
    runner.onLine = (line) => exchange.line(line);
    const options = { timeoutMs: ANSWER_TIMEOUT_MS, signal: this.#signal };
    const stop = await takeTurn(runner, [...requests], exchange, options);
    if (stop === null) return { replies: exchange.replies, faults: exchange.faults };
    await this.#kill();
    return askRunner(requests, { command: run, cwd: path, signal: this.#signal });
  }

  /** Ends the runner's input and waits for its end. Returns a fault when it does not end in good order. */
  async end(): Promise<readonly RunFault[]> {
    const runner = this.#runner;
    if (runner === null || this.#signal?.aborted) return [];
    const how = await runner.finish(ANSWER_TIMEOUT_MS);
    if (how === "ended" && runner.exitCode === 0) return [];
    const detail = how === "still_running" ? "did not end with its input" : `${runner.ending} at the end of its input`;
    return [{ kind: "exit", detail: `the runner ${detail}` }];
  }

  /** Kills what is left. */
  async close(): Promise<void> {
    await this.#kill();
  }

  async #kill(): Promise<void> {
    await this.#runner?.kill();
    this.#runner = null;
  }
}
