import { randomUUID } from "node:crypto";
import { Admin, Consumer, Producer } from "@platformatic/kafka";
import { createKafkaConsumer, createKafkaPublisher, KAFKA_LIMITS, toKafka } from "@sinkwire/kafka";
import { headersSet } from "@sinkwire/message";
import { waitUntil } from "../../src/brokers/index.js";
import type { Transport } from "../../src/transport-suite/index.js";
import { describeTransport } from "./transport.js";

/** How long the server waits for a sign of a member, in milliseconds; it takes no less than 6 s. */
const SESSION_TIMEOUT_MS = 10_000;

const transport: Transport = {
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
          constructor(options: ConstructorParameters<typeof Consumer>[0]) {
            super(options);
            made.push(this as unknown as Consumer);
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
      deadLetters: () => recordsOf(url, `${topic}.dead`),
      async close() {
        for (const close of closers) await close();
      },
    };
  },
};

async function createTopics(url: string, topics: string[]): Promise<void> {
  const admin = new Admin({ clientId: "suite", bootstrapBrokers: [url], retries: 0 });
  try {
    await waitUntil(() => admin.createTopics({ topics, partitions: 1, replicas: 1 }), { limitMs: 60_000 });
  } finally {
    await admin.close();
  }
}

/** The values of a topic's records so far, partition by partition. */
async function recordsOf(url: string, topic: string): Promise<Buffer[]> {
  const consumer = new Consumer({ clientId: "suite", bootstrapBrokers: [url], groupId: "reader", retries: 0 });
  try {
    const metadata = await consumer.metadata({ topics: [topic] });
    const { id = "", partitions = [] } = metadata.topics.get(topic) ?? {};
    const { responses } = await consumer.fetch({
      ...{ node: partitions[0]?.leader ?? -1, maxWaitTime: 0 },
      topics: [
        {
          topicId: id,
          partitions: partitions.map((_, partition) => ({
            ...{ partition, fetchOffset: 0n, partitionMaxBytes: 1_048_576, currentLeaderEpoch: -1, lastFetchedEpoch: -1 },
          })),
        },
      ],
    });
    return responses
      .flatMap((one) => one.partitions)
      .flatMap(({ records = [] }) => records.flatMap((batch) => batch.records))
      .map(({ value }) => value ?? Buffer.alloc(0));
  } finally {
    await consumer.close();
  }
}

describeTransport(transport);
