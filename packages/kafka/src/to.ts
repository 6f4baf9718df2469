import {
  encodeFor,
  type Mapped,
  type MappingOptions,
  orderingKey,
  sourceKey,
  textOption,
  utf8Length,
} from "@sinkwire/delivery/adapter";
import { type Hook, headersSet, type PublishContext } from "@sinkwire/message";
import { KAFKA_LIMITS } from "./limits.js";

/** How to map a hook to a record. */
export interface ToKafkaOptions extends MappingOptions {
  /** Record key of a hook without an ordering key. Default `<tenant>/<source>`, `/<source>` without a tenant. */
  readonly key?: string | null | undefined;
}

/**
 * A Kafka record without its topic. `@platformatic/kafka` takes it as it is; kafkajs and Confluent's client want the
 * timestamp as text: `{ ...record, timestamp: record.timestamp?.toString() }`.
 */
export interface KafkaRecord extends Mapped {
  readonly key: string;
  readonly value: Buffer;
  /** The headers set, in its order. */
  readonly headers: Record<string, string>;
  /** `received_at`; not there when it is negative or on a replay, since retention would eat the record. */
  readonly timestamp?: bigint;
}

/**
 * Maps a hook to a Kafka record.
 *
 * @param hook - the received webhook
 * @param context - what is not the provider's
 * @param options - record key, limits in bytes of value plus key (default {@link KAFKA_LIMITS}), claim
 * @returns the record; `size` is value plus key
 * @throws InvalidHookError (`key` for the option), MessageTooLargeError, ClaimError; all permanent
 */
export function toKafka(hook: Hook, context?: PublishContext | null, options?: ToKafkaOptions | null): KafkaRecord {
  const { body, parts, mapped } = encodeFor(hook, context, options, {
    maxBytes: KAFKA_LIMITS.maxBytes,
    parts: () => {
      const key = recordKey(hook, context, textOption(options?.key, "key"));
      return { key, overhead: utf8Length(key) };
    },
  });
  const timestamp = recordTime(hook, context);
  return {
    key: parts.key,
    value: body,
    headers: Object.fromEntries(headersSet(hook, context)),
    ...(timestamp === null ? {} : { timestamp }),
    ...mapped,
  };
}

/** What a record's key and time are made of. */
type Keyed = Pick<Hook, "source_id" | "tenant_id">;
type Context = PublishContext | null | undefined;

/**
 * The record key.
 *
 * @param option - for a hook without an ordering key
 */
export function recordKey(hook: Keyed, context: Context, option: string | null): string {
  return orderingKey(context) ?? option ?? sourceKey(hook);
}

/** The record's timestamp; null when the broker has to set it, since retention would eat an old record. */
export function recordTime({ received_at }: Pick<Hook, "received_at">, context: Context): bigint | null {
  return received_at >= 0 && !context?.replay_id ? BigInt(received_at) : null;
}
