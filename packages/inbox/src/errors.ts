import { type ErrorDetails, SinkwireError } from "@sinkwire/message";

/**
 * `invalid_key`: a key that PostgreSQL cannot hold, or an option of a message that does not go with its key or stream.
 * `lease_lost`: another worker may have the message by now. `handler_failed`: a handler gave up, or did not end in time.
 */
export type InboxErrorCode = "invalid_key" | "lease_lost" | "handler_failed";

/** What the inbox refuses. Permanent but for a lost lease. */
export class InboxError extends SinkwireError {
  declare readonly code: InboxErrorCode;
  constructor(code: InboxErrorCode, message: string, details: Pick<ErrorDetails, "cause"> = {}) {
    super(code, message, { ...details, retryable: code === "lease_lost" });
  }
}

/** Thrown by `guard` in the transaction of a handler that no longer holds its key. */
export class LeaseLostError extends InboxError {
  constructor(message: string) {
    super("lease_lost", message);
  }
}

/** Thrown by a handler: the message is dead at once. */
export class PermanentError extends InboxError {
  constructor(message: string, details: Pick<ErrorDetails, "cause"> = {}) {
    super("handler_failed", message, details);
  }
}

/** Thrown by a handler: the message runs again after a delay, which spends nothing of its budget. */
export class RetryAfter extends Error {
  /** Milliseconds. */
  readonly delayMs: number;
  /**
   * @param delayMs - milliseconds, 0 or more
   * @throws RangeError for anything else
   */
  constructor(delayMs: number) {
    super(`again after ${delayMs} ms`);
    if (!Number.isFinite(delayMs) || delayMs < 0) throw new RangeError("a delay is 0 ms or more");
    this.name = "RetryAfter";
    this.delayMs = delayMs;
  }
}
