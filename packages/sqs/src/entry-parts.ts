import { integerOption, orderingKey, sha256Form, sourceKey } from "@sinkwire/delivery/adapter";
import {
  attributesSet,
  deliveryId,
  type HeaderPair,
  type MetadataContext,
  type MetadataHook,
  type PublishContext,
} from "@sinkwire/message";
import { SQS_LIMITS } from "./limits.js";

/** A message attribute, as the AWS SDK takes it. */
export interface SqsAttribute {
  readonly DataType: "String";
  readonly StringValue: string;
}

/** The ids of an entry. */
export interface SqsIds {
  readonly MessageGroupId?: string;
  readonly MessageDeduplicationId?: string;
}

/** The type of every attribute of ours. */
export const STRING = "String";

/** A group or deduplication id that SQS takes: 1 to 128 ASCII letters, digits and punctuation. */
const CARRIED_ID = new RegExp(`^[\\x21-\\x7e]{1,${SQS_LIMITS.idCharacters}}$`);

/** Characters outside of XML 1.0, in well-formed text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NOT_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;

/** Whether a queue keeps the order of groups: its URL ends in `.fifo`, slashes after it aside. */
export function isFifo(queueUrl: string): boolean {
  let end = queueUrl.length;
  while (queueUrl[end - 1] === "/") end--;
  return queueUrl.slice(0, end).endsWith(".fifo");
}

/** An id as SQS takes it: its digest when it is not carried. */
export function carriedId(id: string): string {
  return CARRIED_ID.test(id) ? id : sha256Form(id);
}

/**
 * The ids of an entry.
 *
 * @param group - of a hook without an ordering key; null for the default
 */
export function messageIds(
  hook: MetadataHook,
  context: PublishContext | null | undefined,
  queueUrl: string,
  group: string | null,
): SqsIds {
  if (isFifo(queueUrl)) {
    return {
      MessageGroupId: carriedId(orderingKey(context) ?? group ?? sourceKey(hook)),
      MessageDeduplicationId: carriedId(deliveryId({ id: hook.id, replay_id: context?.replay_id })),
    };
  }
  return group === null ? {} : { MessageGroupId: carriedId(group) };
}

/**
 * The attributes set as far as SQS takes it, in its order.
 *
 * @param reserved - how many of the ten attributes are left to others
 */
export function messageAttributes(
  hook: MetadataHook,
  context: MetadataContext | null | undefined,
  reserved: number,
): readonly HeaderPair[] {
  const carried = attributesSet(hook, context).filter(([, value]) => !NOT_XML.test(value));
  return carried.slice(0, SQS_LIMITS.attributes - reserved);
}

/** Attributes as the AWS SDK takes them. */
export function attributeRecord(pairs: readonly HeaderPair[]): Record<string, SqsAttribute> {
  return Object.fromEntries(pairs.map(([name, value]) => [name, { DataType: STRING, StringValue: value }]));
}

/** Checks how many attributes are left to others. */
export function reservedOption(value: unknown, field: string): number {
  return integerOption(value, field, 0, 0, SQS_LIMITS.reservedAttributes);
}
