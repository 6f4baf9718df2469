import { jsonMembers } from "@sinkwire/delivery/adapter";

/** What an SQS body may be wrapped in. */
export type SqsEnvelope = "sns" | "eventbridge";

/** A body with its metadata, as it was before it was wrapped. */
export interface Unwrapped {
  readonly attributes: unknown;
  readonly body: unknown;
}

/**
 * Opens an envelope: an SNS notification holds the message as text and its attributes beside it; an EventBridge event
 * holds it as the object `detail`, without attributes.
 *
 * @param body - the body of the SQS message
 * @param envelope - which envelope
 * @returns what it holds; null when the body is no such envelope, as after raw delivery was turned on
 */
export function unwrap(body: unknown, envelope: SqsEnvelope): Unwrapped | null {
  const members = typeof body === "string" ? jsonMembers(body) : null;
  if (envelope === "eventbridge") {
    const detail = members?.get("detail-type") === undefined ? undefined : members.get("detail");
    return detail === undefined ? null : { attributes: null, body: detail };
  }
  const message = members?.get("Message");
  if (message === undefined || members?.get("Type") !== '"Notification"') return null;
  return { attributes: JSON.parse(members.get("MessageAttributes") ?? "null"), body: JSON.parse(message) };
}
