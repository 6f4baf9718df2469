import { PublishError, type PublishErrorCode, type PublishOutcome } from "@sinkwire/delivery";
import { errorNames, isAnswer, isHopeless, isMissingTopic } from "./client-error.js";

/**
 * What a failed send means for its batch.
 *
 * - `rejected`: the server will never take it, or one of its records.
 * - `refused`: the server did not take it, and nothing but a change there can help.
 * - `renumber`: the server does not go on with the sequence numbers: a new producer id is needed.
 * - `answered`: the server answered with an error, and may have the batch all the same.
 * - `unknown`: nobody answered.
 */
export type SendFault = "rejected" | "refused" | "renumber" | "answered" | "unknown";

const REJECTED = ["MESSAGE_TOO_LARGE", "RECORD_LIST_TOO_LARGE", "INVALID_RECORD", "INVALID_TIMESTAMP"];

const RENUMBER = [
  "OUT_OF_ORDER_SEQUENCE_NUMBER",
  "DUPLICATE_SEQUENCE_NUMBER",
  "UNKNOWN_PRODUCER_ID",
  "INVALID_PRODUCER_EPOCH",
  "INVALID_PRODUCER_ID_MAPPING",
  "PRODUCER_FENCED",
  // The client counts on beyond what a sequence number holds, after 2^31 records of a partition.
  "ERR_OUT_OF_RANGE",
];

/** Says what the client's error on a send means. */
export function sendFault(error: unknown): SendFault {
  const names = errorNames(error);
  if (REJECTED.some((name) => names.has(name))) return "rejected";
  if (RENUMBER.some((name) => names.has(name))) return "renumber";
  if (isHopeless(error)) return "refused";
  return isAnswer(error) ? "answered" : "unknown";
}

/**
 * The error for the caller.
 *
 * @param error - the client's
 * @param topic - where it was published to
 * @param outcome - whether the server may have the record all the same
 */
export function publishErrorOf(error: unknown, topic: string, outcome: PublishOutcome): PublishError {
  const failed = (code: PublishErrorCode, what: string): PublishError =>
    new PublishError(code, `topic ${JSON.stringify(topic)}: ${what}`, { outcome, cause: error });
  if (isMissingTopic(error)) return failed("publish_failed", "it does not exist");
  const names = [...errorNames(error)];
  if (names.some((name) => REJECTED.includes(name))) {
    return failed("publish_rejected", `the server does not take the record (${names.join(", ")})`);
  }
  return failed("publish_failed", names.length > 0 ? names.join(", ") : String(error));
}
