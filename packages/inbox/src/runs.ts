import { InboxError } from "./errors.js";
import type { Entry } from "./lines.js";
import type { RetryRules } from "./outcome.js";
import type { ClaimedRow, LogMessage } from "./store.js";

/** What an engine needs to know. */
export interface EngineOptions extends RetryRules {
  readonly batchSize: number;
  /** Ranges that may be open at once. An expired one is claimed above it. */
  readonly maxRanges: number;
  readonly leaseMs: number;
  /** Nothing starts when one of its leases ends sooner than this. */
  readonly marginMs: number;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  readonly randomToken: () => string;
}

/** A handler's run of a message. */
export interface Run {
  readonly message: LogMessage;
  readonly attempt: number;
  /** 0 without a key lease. */
  readonly fence: bigint;
  /** Of the key lease; null without one. */
  readonly token: string | null;
  /** Aborted when a lease is lost. */
  readonly lost: AbortController;
}

/** A run of a message whose range is open. */
export interface RangeRun extends Run {
  readonly entry: Entry;
  readonly row: null;
}

/** A run of a message that has a row. */
export interface RowRun extends Run {
  readonly entry: null;
  readonly row: ClaimedRow;
  /** Of the row's lease and the key's, on the monotonic clock. */
  endsAt: number;
}

/** Why a run is aborted. */
export function lost(): InboxError {
  return new InboxError("lease_lost", "a lease of this message was lost");
}
