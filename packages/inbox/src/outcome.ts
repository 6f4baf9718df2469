import { RetryAfter } from "./errors.js";

/** What a handler did. */
export type Result =
  | { readonly kind: "success" }
  | { readonly kind: "failure"; readonly permanent: boolean; readonly error: string }
  | { readonly kind: "delay"; readonly delayMs: number };

/** How a message has fared so far. */
export interface Counters {
  /** Runs that failed, asked for a delay, or lost their lease; the number of the next run. */
  readonly attempts: number;
  readonly delays: number;
}

/** What becomes of a message. Without a row: success. */
export type Outcome =
  | { readonly status: "succeeded" }
  | ({
      readonly status: "ready" | "deferred" | "dead" | "superseded";
      /** A dead row that holds its key until an operator acts. */
      readonly holds: boolean;
      readonly delayMs: number;
      readonly error: string | null;
    } & Counters);

/** Retries of a group. */
export interface RetryRules {
  /** Failures beyond the first that a message may have. */
  readonly maxRetries: number;
  /** The first delay, in milliseconds. */
  readonly firstRetryMs: number;
  /** The second, doubled from then on. */
  readonly retryBaseMs: number;
  readonly maxRetryMs: number;
  readonly onDead: "release" | "hold";
}

/** Longest error text that is kept, in characters. */
const MAX_ERROR = 1_000;

/**
 * Reads what a handler threw.
 *
 * @param error - anything
 */
export function resultOf(error: unknown): Result {
  if (error instanceof RetryAfter) return { kind: "delay", delayMs: error.delayMs };
  const retryable = typeof error === "object" && error !== null ? (error as { retryable?: unknown }).retryable : true;
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { kind: "failure", permanent: retryable === false, error: cleanText(text) };
}

/** How long a message waits after its failed run of this number. */
export function retryDelay(attempt: number, rules: RetryRules): number {
  return Math.min(attempt === 0 ? rules.firstRetryMs : rules.retryBaseMs * 2 ** (attempt - 1), rules.maxRetryMs);
}

/**
 * What becomes of a message after a run.
 *
 * @param counters - before the run
 */
export function outcomeOf(result: Result, { attempts, delays }: Counters, rules: RetryRules): Outcome {
  if (result.kind === "success") return { status: "succeeded" };
  const next = attempts + 1;
  if (result.kind === "delay") {
    const { delayMs } = result;
    return { status: "ready", holds: false, attempts: next, delays: delays + 1, delayMs, error: null };
  }
  const { permanent, error } = result;
  if (!permanent && next - delays <= rules.maxRetries) {
    const delayMs = retryDelay(attempts, rules);
    return { status: "ready", holds: false, attempts: next, delays, delayMs, error };
  }
  return { status: "dead", holds: rules.onDead === "hold", attempts: next, delays, delayMs: 0, error };
}

/** A message that did not run: it waits as it is. */
export function unrun(status: "ready" | "deferred" | "superseded", { attempts, delays }: Counters): Outcome {
  return { status, holds: false, attempts, delays, delayMs: 0, error: null };
}

/** Whether the next message of the key may run. */
export function releases(outcome: Outcome): boolean {
  const { status } = outcome;
  return status === "succeeded" || status === "superseded" || (status === "dead" && !outcome.holds);
}

/** Text that PostgreSQL holds: well-formed, without U+0000, not too long. */
function cleanText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd").slice(0, MAX_ERROR).toWellFormed();
}
