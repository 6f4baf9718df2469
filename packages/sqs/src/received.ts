import type { MetadataPair } from "@sinkwire/delivery";
import { property } from "@sinkwire/delivery/adapter";
import type { SqsCarriedAttribute } from "./client.js";

/** What is used of a received message beside what is read of it. */
export interface Received {
  readonly receiptHandle: string;
  readonly messageId: string;
  readonly body: string;
  /** How often the queue has handed it out; null when it does not say. */
  readonly attempt: number | null;
  /** Its group; null without one. */
  readonly group: string | null;
  /** Its attributes, in the order that they came in. */
  readonly attributes: readonly (readonly [string, SqsCarriedAttribute])[];
}

/** Takes a message of the client's apart; null when it cannot be settled, for want of a handle. */
export function receivedOf(message: unknown): Received | null {
  const receiptHandle = textOf(message, "ReceiptHandle");
  if (receiptHandle === null) return null;
  const system = property(message, "Attributes");
  const count = Number(textOf(system, "ApproximateReceiveCount"));
  return {
    receiptHandle,
    messageId: textOf(message, "MessageId") ?? "",
    body: textOf(message, "Body") ?? "",
    attempt: Number.isInteger(count) && count > 0 ? count : null,
    group: textOf(system, "MessageGroupId"),
    attributes: Object.entries(property(message, "MessageAttributes") ?? {}).flatMap(([name, attribute]) => {
      const carried = carriedAttribute(attribute);
      return carried === null ? [] : [[name, carried] as const];
    }),
  };
}

/** The attributes as metadata. */
export function attributePairs(attributes: Received["attributes"]): readonly MetadataPair[] {
  return attributes.map(([name, { StringValue, BinaryValue }]) => [name, StringValue ?? BinaryValue ?? ""]);
}

function carriedAttribute(attribute: unknown): SqsCarriedAttribute | null {
  const type = textOf(attribute, "DataType");
  const text = textOf(attribute, "StringValue");
  const bytes = property(attribute, "BinaryValue");
  if (type === null) return null;
  if (text !== null) return { DataType: type, StringValue: text };
  return bytes instanceof Uint8Array ? { DataType: type, BinaryValue: bytes } : null;
}

function textOf(raw: unknown, name: string): string | null {
  const text = property(raw, name);
  return typeof text === "string" && text !== "" ? text : null;
}
