import { type Consumer, serve } from "@sinkwire/delivery";

/** Handlers at work at once. */
const CONCURRENCY = 64;

/** Counts what a side of the client's own settles. */
export interface Count {
  /** Takes note of one that arrived. */
  readonly arrived: () => void;
  /** Takes note of one that was acknowledged. */
  readonly settled: () => void;
  /** Resolves with the milliseconds from the first arrival to the last acknowledgement. */
  readonly done: Promise<number>;
}

/** Counts up to a number of acknowledgements. */
export function countTo(count: number): Count {
  let start = 0;
  let settled = 0;
  let finish: (elapsedMs: number) => void;
  const done = new Promise<number>((resolve) => {
    finish = resolve;
  });
  return {
    arrived: () => {
      start ||= performance.now();
    },
    settled: () => {
      if (++settled === count) finish(performance.now() - start);
    },
    done,
  };
}

/** Takes messages with one of our consumers and closes it; `serve` ends when all that it took are acknowledged. */
export async function takeWithServe(consumer: Consumer, count: number): Promise<number> {
  const stop = new AbortController();
  let start = 0;
  let handled = 0;
  const handle = (): void => {
    start ||= performance.now();
    if (++handled === count) stop.abort();
  };
  await serve(consumer, handle, { concurrency: CONCURRENCY, signal: stop.signal });
  const elapsedMs = performance.now() - start;
  await consumer.close();
  return elapsedMs;
}
