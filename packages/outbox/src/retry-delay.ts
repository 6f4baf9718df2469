import { digest, lp32, u32 } from "./bytes.js";
import { hookId, u32Value } from "./check.js";
import { InvalidLaneTupleError } from "./errors.js";

/** Doublings after which any delay of at least a millisecond is over every safe integer. */
const MOST_DOUBLINGS = 53;

/** A retry to be timed. */
export interface Retry {
  readonly hook_id: string;
  /** 0, one more with each replay. */
  readonly generation: number;
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  /** Cap of the first delay, in milliseconds. */
  readonly initial_ms: number;
  /** Cap of every delay, in milliseconds. */
  readonly max_ms: number;
}

/** When to retry. */
export interface RetryDelay {
  /** The most that this attempt may wait: doubled with each attempt, up to `max_ms`. */
  readonly cap_ms: number;
  /** From 0 to `cap_ms`, evenly spread over hooks, the same in every process. */
  readonly delay_ms: number;
}

/**
 * Times a retry: full jitter under a doubling cap, without a random number, so that every process gives the same.
 *
 * @param retry - which attempt of which hook, and the caps
 * @returns cap and delay in milliseconds
 * @throws InvalidLaneTupleError with the first malformed field, in the order of {@link Retry}
 */
export function retryDelay(retry: Retry): RetryDelay {
  const hash = digest(
    "sinkwire-retry-v1",
    lp32(hookId(retry.hook_id)),
    u32(u32Value(retry.generation, "generation")),
    u32(u32Value(retry.attempt, "attempt", 1)),
  );
  const initial = milliseconds(retry.initial_ms, "initial_ms");
  const max = milliseconds(retry.max_ms, "max_ms");
  const grown = initial << BigInt(Math.min(retry.attempt - 1, MOST_DOUBLINGS));
  const cap = grown < max ? grown : max;
  return { cap_ms: Number(cap), delay_ms: Number((hash.readBigUInt64BE() * (cap + 1n)) >> 64n) };
}

function milliseconds(value: unknown, field: string): bigint {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  throw new InvalidLaneTupleError(field, "expected milliseconds: an integer of at least 0");
}
