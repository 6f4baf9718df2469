import { type ErrorDetails, SinkwireError } from "@sinkwire/message";
import type { PublishOutcome } from "./publisher.js";

/** The four names of metadata that say which hook a message is, as the message's own fields. */
export type IdentityField = "id" | "source_id" | "tenant_id" | "idempotency_key";

/** Metadata that names another hook than the message beside it. Permanent: the same record never matches. */
export class MetadataMismatchError extends SinkwireError {
  declare readonly code: "metadata_mismatch";
  declare readonly field: IdentityField;
  constructor(field: IdentityField, message: string) {
    super("metadata_mismatch", `${field}: ${message}`, { field });
  }
}

/**
 * `publish_rejected`: the broker will never take this message. `publish_failed`: the same publish may succeed later.
 * `no_subscribers`: a broker that keeps nothing had fewer receivers than wanted; so it may later.
 */
export type PublishErrorCode = "publish_rejected" | "publish_failed" | "no_subscribers";

/** What a {@link PublishError} says beside its code. */
export interface PublishErrorDetails extends Pick<ErrorDetails, "cause"> {
  readonly outcome: PublishOutcome;
  /** What the broker asked to wait, in milliseconds. */
  readonly retryAfterMs?: number | null;
}

/** A publish that the broker did not confirm. `retryable` follows from the code. */
export class PublishError extends SinkwireError {
  declare readonly code: PublishErrorCode;
  /** Whether the broker may have taken the message all the same. */
  readonly outcome: PublishOutcome;
  /** What the broker asked to wait before the next try, in milliseconds; null when it asked for nothing. */
  readonly retryAfterMs: number | null;
  constructor(code: PublishErrorCode, message: string, details: PublishErrorDetails) {
    super(code, message, { cause: details.cause, retryable: code !== "publish_rejected" });
    this.outcome = details.outcome;
    this.retryAfterMs = details.retryAfterMs ?? null;
  }
}
