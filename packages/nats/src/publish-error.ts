import { PublishError, type PublishErrorCode, type PublishOutcome } from "@sinkwire/delivery";
import { property } from "@sinkwire/delivery/adapter";

/** The server's code for a message over the stream's own maximum. */
const OVER_STREAM_MAXIMUM = 10_054;

/**
 * Says what the client's error means for a message.
 *
 * @param error - what the client's `publish` threw
 * @param subject - where it was published to
 * @returns the error for the caller; null when it is not known whether the server has the message
 */
export function publishErrorOf(error: unknown, subject: string): PublishError | null {
  const name = property(error, "name");
  const failed = (code: PublishErrorCode, what: string, outcome: PublishOutcome = "not_published"): PublishError =>
    new PublishError(code, `subject ${JSON.stringify(subject)}: ${what}`, { outcome, cause: error });
  if (name === "JetStreamNotEnabled") return failed("publish_failed", "no stream takes it, or there is no JetStream");
  if (name === "InvalidArgumentError") {
    return failed("publish_rejected", "larger than the server takes, or not a valid request");
  }
  if (property(property(error, "cause"), "name") === "PermissionViolationError") {
    return failed("publish_failed", "this user may not publish to it");
  }
  if (typeof property(error, "apiError") === "function") {
    return property(error, "code") === OVER_STREAM_MAXIMUM
      ? failed("publish_rejected", "larger than the stream takes")
      : failed("publish_failed", `refused by the server: ${String(property(error, "message"))}`);
  }
  return null;
}
