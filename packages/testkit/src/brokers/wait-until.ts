import { setTimeout as sleep } from "node:timers/promises";
import type { WaitOptions } from "./types.js";

const PAUSE_MS = 50;

/**
 * Tries until it succeeds.
 *
 * @param attempt - throws while it has to be tried again
 * @param options - `limitMs`: after so long the last error is thrown
 * @returns what the attempt returned
 */
export async function waitUntil<T>(
  attempt: () => T | Promise<T>,
  options: WaitOptions & { readonly limitMs: number },
): Promise<T> {
  const { signal, limitMs } = options;
  const end = performance.now() + limitMs;
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await sleep(PAUSE_MS, undefined, { signal });
  }
}
