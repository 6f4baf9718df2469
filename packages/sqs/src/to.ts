import {
  addressOption,
  encodeFor,
  type Mapped,
  type MappingOptions,
  orderingKey,
  pairsLength,
  sha256Form,
  sourceKey,
  textOption,
} from "@sinkwire/delivery/adapter";
import {
  attributesSet,
  deliveryId,
  type HeaderPair,
  type Hook,
  InvalidHookError,
  type PublishContext,
} from "@sinkwire/message";
import { SQS_LIMITS } from "./limits.js";

/** How to map a hook to an entry. */
export interface ToSqsOptions extends MappingOptions {
  /** The queue's URL, at most 255 bytes; a FIFO queue's ends in `.fifo`, slashes after it aside. */
  readonly queueUrl: string;
  /** Group of a hook without an ordering key. Default: `<tenant>/<source>` on a FIFO queue, none on a standard one. */
  readonly messageGroupId?: string | null | undefined;
  /** How many of the ten attributes to leave to others, 0 to 5. Default 0. */
  readonly reservedAttributes?: number | null | undefined;
}

/** A message attribute, as the AWS SDK takes it. */
export interface SqsAttribute {
  readonly DataType: "String";
  readonly StringValue: string;
}

/** An entry, as `SendMessageCommand` takes it. */
export interface SqsEntry extends Mapped {
  readonly QueueUrl: string;
  readonly MessageBody: string;
  /** The attributes set, in its order, as far as SQS takes it. */
  readonly MessageAttributes: Record<string, SqsAttribute>;
  readonly MessageGroupId?: string;
  readonly MessageDeduplicationId?: string;
}

const STRING = "String";
/** A group or deduplication id that SQS takes: 1 to 128 ASCII letters, digits and punctuation. */
const CARRIED_ID = new RegExp(`^[\\x21-\\x7e]{1,${SQS_LIMITS.idCharacters}}$`);
/** Characters outside of XML 1.0, in well-formed text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NOT_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;

/**
 * Maps a hook to an SQS entry.
 *
 * @param hook - the received webhook
 * @param context - what is not the provider's
 * @param options - queue, group, reserved attributes, limits in bytes of body plus attributes (default
 *   {@link SQS_LIMITS}), claim
 * @returns the entry; `size` is the body plus each attribute's name, type and value
 * @throws InvalidHookError (`queue_url`, `message_group_id`, `reserved_attributes` for the options),
 *   MessageTooLargeError, ClaimError; all permanent
 */
export function toSqs(hook: Hook, context: PublishContext | null | undefined, options: ToSqsOptions): SqsEntry {
  const { body, parts, mapped } = encodeFor(hook, context, options, {
    maxBytes: SQS_LIMITS.maxBytes,
    parts: () => {
      const queueUrl = addressOption(options?.queueUrl, "queue_url");
      const ids = messageIds(hook, context, queueUrl, textOption(options.messageGroupId, "message_group_id"));
      const attributes = messageAttributes(hook, context, reservedAttributes(options.reservedAttributes));
      return { queueUrl, ids, attributes, overhead: pairsLength(attributes, STRING.length) };
    },
  });
  return {
    QueueUrl: parts.queueUrl,
    MessageBody: body.toString("utf8"),
    MessageAttributes: Object.fromEntries(
      parts.attributes.map(([name, value]) => [name, { DataType: STRING, StringValue: value }]),
    ),
    ...parts.ids,
    ...mapped,
  };
}

function messageIds(
  hook: Hook,
  context: PublishContext | null | undefined,
  queueUrl: string,
  group: string | null,
): Pick<SqsEntry, "MessageGroupId" | "MessageDeduplicationId"> {
  if (isFifo(queueUrl)) {
    return {
      MessageGroupId: carriedId(orderingKey(context) ?? group ?? sourceKey(hook)),
      MessageDeduplicationId: carriedId(deliveryId({ id: hook.id, replay_id: context?.replay_id })),
    };
  }
  return group === null ? {} : { MessageGroupId: carriedId(group) };
}

function isFifo(queueUrl: string): boolean {
  let end = queueUrl.length;
  while (queueUrl[end - 1] === "/") end--;
  return queueUrl.slice(0, end).endsWith(".fifo");
}

function carriedId(id: string): string {
  return CARRIED_ID.test(id) ? id : sha256Form(id);
}

function messageAttributes(
  hook: Hook,
  context: PublishContext | null | undefined,
  reserved: number,
): readonly HeaderPair[] {
  const carried = attributesSet(hook, context).filter(([, value]) => !NOT_XML.test(value));
  return carried.slice(0, SQS_LIMITS.attributes - reserved);
}

function reservedAttributes(value: number | null | undefined): number {
  const reserved = value ?? 0;
  if (Number.isInteger(reserved) && reserved >= 0 && reserved <= SQS_LIMITS.reservedAttributes) return reserved;
  throw new InvalidHookError("reserved_attributes", `expected an integer from 0 to ${SQS_LIMITS.reservedAttributes}`);
}
