import type { DeliveryRead, ReadOptions } from "@sinkwire/delivery";
import { choiceOption, member, property, readBody } from "@sinkwire/delivery/adapter";
import { SQS_ENVELOPES, type SqsEnvelope, unwrap } from "./envelope.js";

/** A received message, as the AWS SDK gives it. Attributes come only when they were asked for. */
export interface ReceivedSqsMessage {
  readonly Body?: string | undefined;
  readonly MessageAttributes?: Readonly<Record<string, unknown>> | undefined;
}

/** A record of a function trigger (AWS Lambda), which spells the same in lower camel case. */
export interface SqsRecord {
  readonly body: string;
  readonly messageAttributes?: Readonly<Record<string, unknown>> | undefined;
}

/** How to read a message. */
export interface FromSqsOptions extends ReadOptions {
  /**
   * What to unwrap the body from, with the metadata that is in it: an SNS notification or an EventBridge event. A body
   * that is no such envelope is read as it is. Default: nothing is unwrapped.
   */
  readonly envelope?: SqsEnvelope | null | undefined;
}

/**
 * Reads a received message.
 *
 * @param message - as the AWS SDK or a function trigger gives it
 * @param options - `envelope`, and those of `readDelivery`; null is none
 * @returns a message, a tombstone (`Body` or `body` is there and null) or why the message is invalid; whatever was
 *   delivered, it does not throw
 * @throws InvalidHookError (`envelope`, `max_bytes`, `metadata`, `options`) for an option that cannot be used, before the
 *   message is looked at
 */
export function fromSqs(message: ReceivedSqsMessage | SqsRecord, options?: FromSqsOptions | null): DeliveryRead {
  const envelope = choiceOption(options?.envelope, "envelope", SQS_ENVELOPES);
  return readBody(
    message,
    {
      pairs: () => property(message, "MessageAttributes") ?? recordAttributes(message),
      body: () => member(message, "Body", "body"),
      open: envelope === null ? undefined : (parts) => unwrap(parts.body, envelope) ?? parts,
    },
    options,
  );
}

/** A record's attributes in the spelling of the SDK. */
function recordAttributes(record: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(property(record, "messageAttributes") ?? {}).map(([name, attribute]) => [
    name,
    { DataType: property(attribute, "dataType"), StringValue: property(attribute, "stringValue") },
  ]);
}
