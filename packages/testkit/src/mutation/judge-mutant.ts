import { Worker } from "node:worker_threads";
import type { LoadedCase } from "@sinkwire/conformance";

/** A mutant that takes longer hangs, which kills it as surely as a wrong answer. */
const LIMIT_MS = 30_000;

/**
 * Runs built code against vectors.
 *
 * @param code - of `judge-worker.ts`, built as CommonJS
 * @returns the id of the vector that killed it, `(hangs)` or `(crashes)`, or null for a survivor
 */
export async function judgeMutant(code: string, cases: readonly LoadedCase[]): Promise<string | null> {
  const worker = new Worker(code, { eval: true, workerData: cases });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<string | null>((resolve) => {
      timer = setTimeout(() => resolve("(hangs)"), LIMIT_MS);
      worker.once("message", resolve);
      worker.once("error", () => resolve("(crashes)"));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
