import type { Exchange } from "./exchange.js";
import { MAX_LINE_BYTES } from "./line-splitter.js";
import type { RunnerProcess } from "./runner-process.js";
import type { JsonObject } from "./types.js";

/** Requests that may be under way together: enough to hide the pipe's latency, few enough to re-send one by one. */
const WINDOW = 32;

/** One request of the protocol. */
export interface RunnerRequest {
  readonly id: string;
  readonly operation: string;
  readonly input: JsonObject;
}

/** Why a turn ended before its requests did. */
export interface Stop {
  readonly kind: "crash" | "no_answer";
  /** What the runner did, in words. */
  readonly detail: string;
  /** Requests sent and not answered, oldest first. */
  readonly underWay: readonly RunnerRequest[];
}

/**
 * Sends requests from a queue, a bounded number ahead of the answers, until the queue is empty and all are answered.
 *
 * @param queue - emptied from its front as requests are sent
 * @returns null when all were answered, else why the runner has to be replaced
 * @throws the signal's reason when it is aborted
 */
export function takeTurn(
  runner: RunnerProcess,
  queue: RunnerRequest[],
  exchange: Exchange,
  options: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
): Promise<Stop | null> {
  const { timeoutMs, signal } = options;
  return new Promise((resolve, reject) => {
    const underWay = new Map<string, { readonly request: RunnerRequest; readonly length: number }>();
    let lengthUnderWay = 0;
    let timer: NodeJS.Timeout | undefined;

    const leave = (act: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      exchange.onAnswer = () => {};
      runner.onEnd = () => {};
      runner.onOverlong = () => {};
      act();
    };
    const stop = (kind: Stop["kind"], detail: string): void =>
      leave(() => resolve({ kind, detail, underWay: [...underWay.values()].map(({ request }) => request) }));
    const onAbort = (): void => leave(() => reject(signal?.reason));
    const watchOldest = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => stop("no_answer", `gave no answer within ${timeoutMs} ms`), timeoutMs);
    };
    const mayStart = (): boolean => underWay.size === 0 || (underWay.size < WINDOW && lengthUnderWay < MAX_LINE_BYTES);
    const pump = (): void => {
      while (queue.length > 0 && mayStart()) {
        const request = queue.shift() as RunnerRequest;
        const line = JSON.stringify({ id: request.id, operation: request.operation, input: request.input });
        underWay.set(request.id, { request, length: line.length });
        lengthUnderWay += line.length;
        exchange.sent(request.id);
        runner.send(line);
        if (underWay.size === 1) watchOldest();
      }
      if (underWay.size === 0) leave(() => resolve(null));
    };

    if (runner.ending !== null) return stop("crash", runner.ending);
    runner.onEnd = (how) => stop("crash", how);
    runner.onOverlong = () => stop("crash", `wrote a line over ${MAX_LINE_BYTES} bytes`);
    signal?.addEventListener("abort", onAbort);
    exchange.onAnswer = (id) => {
      const oldest = underWay.keys().next().value;
      lengthUnderWay -= underWay.get(id)?.length ?? 0;
      underWay.delete(id);
      if (id === oldest) watchOldest();
      pump();
    };
    pump();
  });
}
