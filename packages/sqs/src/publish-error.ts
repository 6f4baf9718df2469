import { PublishError, type PublishErrorCode, type PublishOutcome } from "@sinkwire/delivery";
import { errorName, isMissingQueue, retryAfterMs, statusOf } from "./service-error.js";

/** What SQS says of a message that it will never take. */
const REJECTED: readonly string[] = ["InvalidMessageContents", "InvalidParameterValue"];

/**
 * Says what the client's error means for a message.
 *
 * @param error - what the client's `send` threw
 * @param queueUrl - where it was sent to
 * @param outcome - what is known of all tries together
 */
export function publishErrorOf(error: unknown, queueUrl: string, outcome: PublishOutcome): PublishError {
  const name = errorName(error);
  const failed = (code: PublishErrorCode, what: string): PublishError =>
    new PublishError(code, `queue ${JSON.stringify(queueUrl)}: ${what}`, {
      outcome,
      cause: error,
      retryAfterMs: retryAfterMs(error),
    });
  if (isMissingQueue(error)) return failed("publish_failed", "it does not exist");
  if (statusOf(error) !== null) {
    const isFinal = REJECTED.includes(name) && outcome === "not_published";
    return failed(isFinal ? "publish_rejected" : "publish_failed", `refused with ${name}`);
  }
  return failed("publish_failed", outcome === "unknown" ? "sent, and not confirmed" : "not sent");
}
