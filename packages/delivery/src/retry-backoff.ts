/** Delay before the second attempt, in milliseconds. */
export const FIRST_RETRY_MS = 1_000;

/** Longest delay between two attempts, in milliseconds. */
export const MAX_RETRY_MS = 30_000;

/**
 * How long a delivery waits for its next attempt by default: 1 s, doubled with each attempt up to 30 s.
 *
 * @param attempt - the attempt that failed, from 1; null, where the broker does not count, is taken for the first
 * @returns milliseconds: 1,000, 2,000, 4,000, 8,000, 16,000, then 30,000
 */
export function retryBackoff(attempt: number | null): number {
  return Math.min(FIRST_RETRY_MS * 2 ** (Math.max(attempt ?? 1, 1) - 1), MAX_RETRY_MS);
}
