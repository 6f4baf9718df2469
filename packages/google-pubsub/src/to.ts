import {
  encodeFor,
  type Mapped,
  type MappingOptions,
  orderingKey,
  type Parts,
  pairsLength,
  sha256Form,
  textOption,
  utf8Length,
} from "@sinkwire/delivery/adapter";
import { attributesSet, type HeaderPair, type Hook, type MetadataHook, type PublishContext } from "@sinkwire/message";
import { PUBSUB_LIMITS } from "./limits.js";

/** How to map a hook to a message. */
export interface ToPubsubOptions extends MappingOptions {
  /** Ordering key of a hook without one of its own. Default none. */
  readonly orderingKey?: string | null | undefined;
}

/** A message, as the client takes it. */
export interface PubsubMessage extends Mapped {
  readonly data: Buffer;
  /** The attributes set, in its order, without values over 1,024 bytes. */
  readonly attributes: Record<string, string>;
  /** A `Topic` of the client takes it with `messageOrdering` only. */
  readonly orderingKey?: string;
}

/**
 * Maps a hook to a Pub/Sub message.
 *
 * @param hook - the received webhook
 * @param context - what is not the provider's
 * @param options - ordering key, limits in bytes of data, attributes and ordering key (default {@link PUBSUB_LIMITS}),
 *   claim
 * @returns the message; `size` is data, attribute names and values, and ordering key
 * @throws InvalidHookError (`ordering_key` for the option), MessageTooLargeError, ClaimError; all permanent
 */
export function toPubsub(hook: Hook, context?: PublishContext | null, options?: ToPubsubOptions | null): PubsubMessage {
  const { body, parts, mapped } = encodeFor(hook, context, options, {
    maxBytes: PUBSUB_LIMITS.maxBytes,
    parts: () => messageParts(hook, context, textOption(options?.orderingKey, "ordering_key")),
  });
  return {
    data: body,
    attributes: Object.fromEntries(parts.attributes),
    ...(parts.key === "" ? {} : { orderingKey: parts.key }),
    ...mapped,
  };
}

/** What a message carries beside its data. */
export interface MessageParts extends Parts {
  /** The ordering key as it is carried; `""` for none. */
  readonly key: string;
  readonly attributes: readonly HeaderPair[];
}

/**
 * Gives what a message carries beside its data.
 *
 * @param hook - the hook, or a decoded message
 * @param context - its context, or the same message
 * @param otherKey - ordering key of one without a key of its own; null for none
 */
export function messageParts(
  hook: MetadataHook,
  context: PublishContext | null | undefined,
  otherKey: string | null,
): MessageParts {
  const key = carriedKey(orderingKey(context) ?? otherKey ?? "");
  const attributes = attributesSet(hook, context).filter(
    ([, value]) => utf8Length(value) <= PUBSUB_LIMITS.attributeValueBytes,
  );
  return { key, attributes, overhead: pairsLength(attributes) + utf8Length(key) };
}

function carriedKey(key: string): string {
  return utf8Length(key) <= PUBSUB_LIMITS.orderingKeyBytes ? key : sha256Form(key);
}
