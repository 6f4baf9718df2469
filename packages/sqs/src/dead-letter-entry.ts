import { DEAD_LETTER_NAMES, type DeadLetter } from "@sinkwire/delivery";
import { utf8Length } from "@sinkwire/delivery/adapter";
import type { SqsCarriedAttribute, SqsSendInput } from "./client.js";
import { carriedId, isFifo, STRING } from "./entry-parts.js";
import { SQS_LIMITS } from "./limits.js";
import type { Received } from "./received.js";

/** The names that say which hook a message is: what is kept first of the attributes that a message came with. */
const IDENTITY: readonly string[] = [
  "ankusa_id",
  "ankusa_source_id",
  "ankusa_tenant_id",
  "ankusa_idempotency_key",
  "ankusa_message_version",
];

/** The names that a dead letter adds, the first to be kept first. */
const ADDED: readonly string[] = Object.values(DEAD_LETTER_NAMES);

/**
 * A rejected message as an entry for the dead letters: its body, why it was rejected, and of its attributes, which keep
 * their types, as many as there is room for.
 *
 * @param received - the message
 * @param letter - what a dead letter adds
 * @param to - `queueUrl` of the dead letters; `from`, the queue that it came from, the group of one without a group
 */
export function deadLetterEntry(
  received: Received,
  letter: DeadLetter,
  { queueUrl, from }: { readonly queueUrl: string; readonly from: string },
): SqsSendInput {
  const added = letter.pairs
    .filter(([name]) => ADDED.includes(name))
    .map(([name, value]) => [name, { DataType: STRING, StringValue: String(value) }] as const);
  const own = received.attributes.filter(([name]) => !ADDED.includes(name));
  const identity = IDENTITY.flatMap((wanted) => own.filter(([name]) => name === wanted));
  const others = own.filter(([name]) => !IDENTITY.includes(name));
  return {
    QueueUrl: queueUrl,
    MessageBody: received.body.toWellFormed(),
    MessageAttributes: fitting([...added, ...identity, ...others], SQS_LIMITS.maxBytes - utf8Length(received.body)),
    ...(isFifo(queueUrl)
      ? {
          MessageGroupId: carriedId(received.group ?? from),
          // The same message rejected twice, since it could not be deleted, is one dead letter.
          MessageDeduplicationId: carriedId(received.messageId),
        }
      : {}),
  };
}

/** The first of the attributes that SQS takes beside the body. */
function fitting(
  attributes: readonly (readonly [string, SqsCarriedAttribute])[],
  roomBytes: number,
): Record<string, SqsCarriedAttribute> {
  const kept: [string, SqsCarriedAttribute][] = [];
  let room = roomBytes;
  for (const [name, attribute] of attributes) {
    const { DataType, StringValue = "", BinaryValue } = attribute;
    const bytes = utf8Length(name) + utf8Length(DataType) + (BinaryValue?.length ?? utf8Length(StringValue));
    if (kept.length === SQS_LIMITS.attributes || bytes > room) continue;
    kept.push([name, attribute]);
    room -= bytes;
  }
  return Object.fromEntries(kept);
}
