import {
  addressOption,
  encodeFor,
  type Mapped,
  type MappingOptions,
  pairsLength,
  textOption,
} from "@sinkwire/delivery/adapter";
import type { Hook, PublishContext } from "@sinkwire/message";
import {
  attributeRecord,
  messageAttributes,
  messageIds,
  reservedOption,
  type SqsAttribute,
  type SqsIds,
  STRING,
} from "./entry-parts.js";
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

/** An entry, as `SendMessageCommand` takes it. */
export interface SqsEntry extends Mapped, SqsIds {
  readonly QueueUrl: string;
  readonly MessageBody: string;
  /** The attributes set, in its order, as far as SQS takes it. */
  readonly MessageAttributes: Record<string, SqsAttribute>;
}

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
      const reserved = reservedOption(options.reservedAttributes, "reserved_attributes");
      const attributes = messageAttributes(hook, context, reserved);
      return { queueUrl, ids, attributes, overhead: pairsLength(attributes, STRING.length) };
    },
  });
  return {
    QueueUrl: parts.queueUrl,
    MessageBody: body.toString("utf8"),
    MessageAttributes: attributeRecord(parts.attributes),
    ...parts.ids,
    ...mapped,
  };
}
