import { randomUUID } from "node:crypto";
import { Admin, Consumer, MessagesStreamModes, ProduceAcks, Producer } from "@platformatic/kafka";
import { createKafkaConsumer, createKafkaPublisher, toKafka } from "@sinkwire/kafka";
import type { RatedTransport, RateSide } from "./rate-side.js";
import { countTo, takeWithServe } from "./take.js";

/** Apache Kafka, a topic of one partition. */
export const kafka: RatedTransport = {
  name: "kafka",
  client: "@platformatic/kafka",
  share: 1,
  async open({ url }) {
    const client = { clientId: "bench", bootstrapBrokers: [url] };
    const lanes = [`lane-${randomUUID()}`, `lane-${randomUUID()}`] as const;
    const admin = new Admin(client);
    await admin.createTopics({ topics: [...lanes], partitions: 1, replicas: 1 });
    await admin.close();
    return { ours: ours({ client, lane: lanes[0] }), bare: bare({ client, lane: lanes[1] }) };
  },
};

interface Opened {
  readonly client: { readonly clientId: string; readonly bootstrapBrokers: string[] };
  readonly lane: string;
}

function ours({ client, lane }: Opened): RateSide {
  const publisher = createKafkaPublisher({ kafka: { Producer }, client, topic: lane });
  return {
    prepare(hook) {
      const { value, ...mapped } = toKafka(hook);
      const message = { bytes: value, ...mapped };
      return () => publisher.publish(message);
    },
    consume: (count) =>
      takeWithServe(
        createKafkaConsumer({
          kafka: { Consumer, Producer },
          client,
          topic: lane,
          group: "group",
          deadLetterTopic: null,
        }),
        count,
      ),
    close: () => publisher.close(),
  };
}

function bare({ client, lane }: Opened): RateSide {
  // Not idempotent: sends at once would then have one sequence number, and the server keeps one of them.
  const producer = new Producer({ ...client, acks: ProduceAcks.ALL });
  return {
    prepare(hook) {
      const { key, value, headers } = toKafka(hook);
      const message = {
        topic: lane,
        key: Buffer.from(key),
        value,
        headers: new Map(Object.entries(headers).map(([name, text]) => [Buffer.from(name), Buffer.from(text)])),
      };
      return () => producer.send({ messages: [message] });
    },
    async consume(count, read) {
      const consumer = new Consumer({ ...client, groupId: lane });
      const stream = await consumer.consume({
        topics: [lane],
        mode: MessagesStreamModes.COMMITTED,
        fallbackMode: "earliest",
        autocommit: true,
      });
      const taken = countTo(count);
      stream.on("data", ({ value }) => {
        taken.arrived();
        read(value);
        taken.settled();
      });
      const elapsedMs = await taken.done;
      await consumer.close(true);
      return elapsedMs;
    },
    close: () => producer.close(),
  };
}
