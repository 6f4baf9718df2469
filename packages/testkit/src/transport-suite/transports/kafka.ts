import { randomUUID } from "node:crypto";
import { Admin, Consumer, type ConsumerOptions, Producer, type RecordsBatch } from "@platformatic/kafka";
import { createKafkaConsumer, createKafkaPublisher, KAFKA_LIMITS, toKafka } from "@sinkwire/kafka";
import { headersSet } from "@sinkwire/message";
import { waitUntil } from "../../brokers/index.js";
import type { Transport } from "../types.js";

/** How long the server waits for a sign of a member, in milliseconds; it takes no less than 6 s. */
export const SESSION_TIMEOUT_MS = 10_000;

/** Apache Kafka, a topic of one partition. */
export const kafka: Transport = {
  name: "kafka",
  title: "Kafka over @platformatic/kafka",
  hasKeys: true,
  noBody: "tombstone",
  maxBytes: KAFKA_LIMITS.maxBytes,
  encode(hook, context, claim) {
    const { value, form, size, dropped } = toKafka(hook, context, { claim });
    return { bytes: value, form, size, dropped };
  },
  metadataOf: (message) => headersSet(message, message),
  async open({ url }) {
    const client = { clientId: "suite", bootstrapBrokers: [url] };
    const topic = `lane-${randomUUID()}`;
    await createTopics(url, [topic, `${topic}.dead`]);
    const producer = new Producer({ ...client, retries: 0 });
    const closers: (() => Promise<unknown>)[] = [() => producer.close()];
    return {
      address: topic,
      async publisher({ address = topic, ...options } = {}) {
        const publisher = createKafkaPublisher({ kafka: { Producer }, client, topic: address, ...options });
        closers.push(() => publisher.close());
        return publisher;
      },
      async consumer() {
        const made: Consumer[] = [];
        let isKilled = false;
        class Mortal extends Consumer {
          constructor(options: ConsumerOptions<Buffer, Buffer, Buffer, Buffer>) {
            super(options);
            made.push(this);
            if (isKilled) this.connections.close();
          }
        }
        const consumer = createKafkaConsumer({
          kafka: { Consumer: Mortal, Producer },
          client,
          topic,
          group: "group",
          deadLetterTopic: `${topic}.dead`,
          sessionTimeoutMs: SESSION_TIMEOUT_MS,
        });
        closers.push(() => consumer.close());
        return {
          consumer,
          async kill() {
            isKilled = true;
            await Promise.all(made.map((one) => one.connections.close()));
          },
        };
      },
      async write(body) {
        await producer.send({
          messages: [{ topic, partition: 0, ...(body === null ? {} : { value: Buffer.from(body) }) }],
          acks: -1,
        });
      },
      deadLetters: async () => (await recordsOf(url, `${topic}.dead`)).map(({ value }) => value ?? Buffer.alloc(0)),
      async close() {
        for (const close of closers) await close();
      },
    };
  },
};

/** How to make topics. */
export interface TopicOptions {
  /** Of each. Default 1. */
  readonly partitions?: number;
  /** Their settings, as `max.message.bytes`. */
  readonly configs?: { readonly name: string; readonly value: string }[];
}

/** Makes topics. */
export async function createTopics(url: string, topics: string[], options: TopicOptions = {}): Promise<void> {
  const admin = new Admin({ clientId: "suite", bootstrapBrokers: [url], retries: 0 });
  try {
    const wanted = { topics, partitions: 1, replicas: 1, ...options };
    await waitUntil(() => admin.createTopics(wanted), { limitMs: 60_000 });
  } finally {
    await admin.close();
  }
}

/** A topic's records so far, partition by partition. */
export async function recordsOf(url: string, topic: string): Promise<{ key: string | null; value: Buffer | null }[]> {
  const consumer = new Consumer({ clientId: "suite", bootstrapBrokers: [url], groupId: "reader", retries: 0 });
  try {
    const stored = (await consumer.metadata({ topics: [topic] })).topics.get(topic);
    const records = [];
    for (const [partition, { leader }] of (stored?.partitions ?? []).entries()) {
      for (let fetchOffset: bigint | null = 0n; fetchOffset !== null; ) {
        const batches = await fetchBatches(consumer, {
          node: leader,
          topicId: stored?.id ?? "",
          partition,
          fetchOffset,
        });
        records.push(...batches.flatMap((batch) => batch.records));
        const last = batches.at(-1);
        fetchOffset = last === undefined ? null : last.firstOffset + BigInt(last.lastOffsetDelta) + 1n;
      }
    }
    return records.map(({ key, value }) => ({ key: key?.toString() ?? null, value }));
  } finally {
    await consumer.close();
  }
}

interface Place {
  readonly node: number;
  readonly topicId: string;
  readonly partition: number;
  readonly fetchOffset: bigint;
}

async function fetchBatches(consumer: Consumer, { node, topicId, ...place }: Place): Promise<RecordsBatch[]> {
  const asked = { ...place, partitionMaxBytes: 1_048_576, currentLeaderEpoch: -1, lastFetchedEpoch: -1 };
  const { responses } = await consumer.fetch({ node, maxWaitTime: 0, topics: [{ topicId, partitions: [asked] }] });
  return responses.flatMap((one) => one.partitions).flatMap(({ records = [] }) => records);
}
