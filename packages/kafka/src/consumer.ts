import { type Consumer, deadLetterOf, type MetadataPair, type ReadOptions } from "@sinkwire/delivery";
import {
  checkReadOptions,
  createHolds,
  createIterations,
  type DeliveryQueue,
  integerOption,
  property,
  textOption,
} from "@sinkwire/delivery/adapter";
import { InvalidHookError } from "@sinkwire/message";
import type { KafkaClient, KafkaClientOptions, KafkaStoredRecord } from "./client.js";
import { createDeadLetters, type DeadLetters } from "./dead-letters.js";
import { fromKafka } from "./from.js";
import { type Group, openGroup } from "./group.js";
import type { Partition } from "./partition.js";
import { HopelessError } from "./topic-lookup.js";
import { topicOption } from "./topic-option.js";

/** Messages that wait to be handled by default. */
const DEFAULT_PREFETCH = 100;

/** Most bytes of one answer by default: 1 MiB. */
const DEFAULT_FETCH_BYTES = 1_048_576;

/** Kafka's own default, in milliseconds. */
const DEFAULT_SESSION_TIMEOUT_MS = 45_000;

/** The longest that servers take by default, in milliseconds (`group.max.session.timeout.ms`). */
const MAX_SESSION_TIMEOUT_MS = 1_800_000;

/** Pause before a message comes again whose dead letter could not be written, in milliseconds. */
const DEAD_LETTER_PAUSE_MS = 1_000;

/** How to consume from Kafka. */
export interface KafkaConsumerOptions extends ReadOptions {
  /** The client's classes. The consumer makes clients of its own, and closes them. `Producer` writes dead letters. */
  readonly kafka: KafkaClient;
  /** How to reach the servers. */
  readonly client: KafkaClientOptions;
  /** It has to exist; none is created. */
  readonly topic: string;
  /** The consumer group's id. All its members consume this topic alone. */
  readonly group: string;
  /** Where rejected messages go: a topic, which has to exist. Null: they are dropped. */
  readonly deadLetterTopic: string | null;
  /** Most messages that wait to be handled. Default 100. */
  readonly prefetch?: number | undefined;
  /** Most bytes that are read in one request, and held beside the messages that wait. Default 1 MiB. */
  readonly fetchBytes?: number | undefined;
  /** After so long without a sign of life, others get the partitions, in milliseconds. Default 45,000. */
  readonly sessionTimeoutMs?: number | undefined;
}

/**
 * Consumes from a topic as a member of a consumer group. A group without committed offsets starts with the oldest record.
 *
 * Only the contiguous prefix of a partition's finished offsets is committed. A retry is held in its slot, then the
 * partition is sought back to it. Records of one key in one partition are never in flight together; those without a key
 * count as one key per partition.
 *
 * @param options - client, topic and group, dead letters, limits, and how to read
 * @throws InvalidHookError for an option that cannot be used. The iteration throws when a topic does not exist or the servers
 *   refuse this user or group
 */
export function createKafkaConsumer(options: KafkaConsumerOptions): Consumer {
  const { kafka, client } = options;
  checkReadOptions(options);
  const topic = topicOption(options.topic, "topic");
  const group = textOption(options.group, "group");
  if (group === null) throw new InvalidHookError("group", "expected the id of a consumer group");
  const deadLetterTopic =
    options.deadLetterTopic === null ? null : topicOption(options.deadLetterTopic, "deadLetterTopic");
  const limits = {
    prefetch: integerOption(options.prefetch, "prefetch", DEFAULT_PREFETCH, 1),
    fetchBytes: integerOption(options.fetchBytes, "fetchBytes", DEFAULT_FETCH_BYTES, 1, 2 ** 31 - 1),
    sessionTimeoutMs: integerOption(
      ...([
        options.sessionTimeoutMs,
        "sessionTimeoutMs",
        DEFAULT_SESSION_TIMEOUT_MS,
        1,
        MAX_SESSION_TIMEOUT_MS,
      ] as const),
    ),
  };
  const holds = createHolds();
  const iterations = createIterations();
  let opened: { readonly group: Group; readonly deadLetters: DeadLetters | null } | null = null;
  let queue: DeliveryQueue | null = null;

  const failed = (error: unknown, what = `topic "${topic}", group "${group}"`): void =>
    queue?.end(new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error }));

  const receive = (
    target: DeliveryQueue,
    partition: Partition,
    offset: bigint,
    record: KafkaStoredRecord,
    ended: AbortSignal,
  ): void => {
    const ticket = partition.receive(offset);
    if (ticket === null || opened === null) return;
    const { group: part, deadLetters } = opened;
    const read = fromKafka({ value: record.value, headers: record.headers.map(headerText) }, options);
    const origin = {
      key: keyOf(partition, record),
      attempt: null,
      address: topic,
      pairs: record.headers.map(headerPair),
      signal: partition.signal,
    };
    const giveBackAfter = async (ms: number): Promise<void> => {
      if (ms > 0) await holds.hold(ms, { signal: AbortSignal.any([partition.signal, ended]) });
      partition.giveBack(ticket);
    };
    target.push(read, origin, {
      ack: async () => part.finish(partition, ticket),
      retry: giveBackAfter,
      async reject(reason, details) {
        const { bytes, pairs } = deadLetterOf({ ...read, ...origin }, reason, details);
        try {
          await deadLetters?.send({ key: record.key, value: bytes, pairs, ownPairs: origin.pairs });
        } catch (error) {
          if (property(error, "code") === "publish_rejected")
            failed(error, `topic "${deadLetterTopic}" for dead letters`);
          await giveBackAfter(DEAD_LETTER_PAUSE_MS);
          throw error;
        }
        part.finish(partition, ticket);
      },
      giveBack: () => giveBackAfter(0),
    });
  };

  const open = (): NonNullable<typeof opened> => {
    const deadLetters = deadLetterTopic === null ? null : createDeadLetters(kafka, client, deadLetterTopic);
    deadLetters?.check().catch((error) => {
      if (error instanceof HopelessError) failed(error, `topic "${deadLetterTopic}" for dead letters`);
    });
    return { group: openGroup({ kafka, client, topic, group, ...limits, receive, failed }), deadLetters };
  };

  return {
    deliveries: (given) =>
      iterations.start(given, (iteration) => {
        queue = iteration.queue;
        opened ??= open();
        opened.group.read(queue, iteration.ended);
        return Promise.resolve();
      }),
    async close() {
      await iterations.stop();
      const { group: part, deadLetters } = opened ?? {};
      opened = null;
      await part?.leave();
      await deadLetters?.close();
    },
  };
}

/** The key within which order is kept. Keys that are not UTF-8 may share one, which costs nothing but speed. */
function keyOf({ id }: Partition, { key }: KafkaStoredRecord): string {
  return key === null ? String(id) : `${id}/${key.toString("utf8")}`;
}

function headerText([name, value]: KafkaStoredRecord["headers"][number]): readonly [string, Buffer | null] {
  return [name?.toString("utf8") ?? "", value];
}

function headerPair([name, value]: KafkaStoredRecord["headers"][number]): MetadataPair {
  return [name?.toString("utf8") ?? "", value ?? new Uint8Array()];
}
