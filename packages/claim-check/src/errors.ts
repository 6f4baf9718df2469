import { ClaimError, isSinkwireError } from "@sinkwire/message";

/** The gateway refused: a 4xx other than 404, 408 and 429. Permanent. */
export class ClaimRejectedError extends ClaimError {
  /** The HTTP status. */
  readonly status: number;
  /** What the gateway said: its parsed JSON of at most 64 levels, else its text, `""` when nothing; at most 64 KiB. */
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super("claim_rejected", `the gateway refused with status ${status}`);
    this.status = status;
    this.body = body;
  }
}

/** The store or the gateway cannot answer now. Retryable. */
export class ClaimUnavailableError extends ClaimError {
  /** `"forbidden"` when the store refuses these credentials: an operator has to act. */
  readonly reason: "unavailable" | "forbidden";
  /** How long to wait at least, in milliseconds, when the gateway said so; at most a day. */
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    details: { reason?: "unavailable" | "forbidden"; retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super("claim_check_unavailable", message, { retryable: true, cause: details.cause });
    this.reason = details.reason ?? "unavailable";
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
}

/** Runs a store's operation: the caller's abort and typed errors come out as they are, the rest as unavailable. */
export async function fromStore<T>(signal: AbortSignal | undefined, operation: () => Promise<T>): Promise<T> {
  signal?.throwIfAborted();
  try {
    return await operation();
  } catch (error) {
    signal?.throwIfAborted();
    throw isSinkwireError(error) ? error : new ClaimUnavailableError("the claim store failed", { cause: error });
  }
}
