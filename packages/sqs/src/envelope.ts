import { type DeliveredParts, jsonMembers } from "@sinkwire/delivery/adapter";

/** What an SQS body may be wrapped in. */
export type SqsEnvelope = "sns" | "eventbridge";

/** Every envelope that can be opened. */
export const SQS_ENVELOPES: readonly SqsEnvelope[] = ["sns", "eventbridge"];

/**
 * Opens an envelope: an SNS notification holds the message as text and its attributes beside it; an EventBridge event
 * holds it as the object `detail`, without attributes. An envelope is read as strictly as a message.
 *
 * @param body - the body of the SQS message
 * @param envelope - which envelope
 * @returns what it holds; null when the body is no such envelope, as after raw delivery was turned on
 */
export function unwrap(body: unknown, envelope: SqsEnvelope): DeliveredParts | null {
  const members = typeof body === "string" ? jsonMembers(body) : null;
  if (members === null) return null;
  if (envelope === "eventbridge") {
    const detail = members.get("detail");
    return members.has("detail-type") && detail?.startsWith("{") ? { pairs: null, body: detail } : null;
  }
  const message = members.get("Message");
  if (members.get("Type") !== '"Notification"' || !message?.startsWith('"')) return null;
  return { pairs: JSON.parse(members.get("MessageAttributes") ?? "null"), body: JSON.parse(message) };
}
