import { PublishError, type PublishErrorCode } from "@sinkwire/delivery";
import { property } from "@sinkwire/delivery/adapter";
import { STATUS, statusOf } from "./status.js";

/** What a status says that the service gives only to what it did not take. */
const REFUSED: ReadonlyMap<number, string> = new Map([
  [STATUS.notFound, "it does not exist"],
  [STATUS.permissionDenied, "this account may not publish to it"],
  [STATUS.unauthenticated, "the service does not know this account"],
  [STATUS.failedPrecondition, "it takes no messages as it is set up"],
  [STATUS.unimplemented, "the server knows no such call"],
  [STATUS.resourceExhausted, "a quota is used up"],
]);

/** How gRPC for Node says that it had no connection to write to. */
const NOT_CONNECTED = /^(?:No connection established|Name resolution failed)/;

/** How gRPC for Node begins what it says of a stream that was reset, where the server's answer is not known. */
const RESET = /^(?:Received RST_STREAM|Bandwidth exhausted or memory limit exceeded)/;

/**
 * Says what the client's error means for a message.
 *
 * @param error - what the client's `publish` threw, its own retries turned off
 * @param topic - where it was published to
 * @returns the error for the caller; null when it is not known whether the service has the message
 */
export function publishErrorOf(error: unknown, topic: string): PublishError | null {
  const failed = (code: PublishErrorCode, what: string): PublishError =>
    new PublishError(code, `topic ${JSON.stringify(topic)}: ${what}`, {
      outcome: "not_published",
      retryAfterMs: retryAfterMs(error),
      cause: error,
    });
  const status = statusOf(error);
  const details = String(property(error, "details") ?? "");
  if (status === null) return failed("publish_failed", "the client cannot be used");
  if (status === STATUS.invalidArgument) return failed("publish_rejected", "the service takes no such message");
  if (status === STATUS.unavailable && NOT_CONNECTED.test(details)) return failed("publish_failed", "no connection");
  const refused = REFUSED.get(status);
  return refused === undefined || RESET.test(details) ? null : failed("publish_failed", refused);
}

/** What the service asked to wait (`google.rpc.RetryInfo`), in milliseconds; null when it asked for nothing. */
function retryAfterMs(error: unknown): number | null {
  const details = property(error, "statusDetails");
  const delays = Array.isArray(details) ? details.map((detail) => property(detail, "retryDelay")) : [];
  const delay = delays.find((one) => one !== undefined && one !== null);
  const ms = Number(property(delay, "seconds") ?? 0) * 1_000 + Number(property(delay, "nanos") ?? 0) / 1_000_000;
  return delay !== undefined && Number.isFinite(ms) && ms >= 0 ? ms : null;
}
