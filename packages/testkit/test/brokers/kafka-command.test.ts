import { randomUUID } from "node:crypto";
import { Admin, Consumer, Producer } from "@platformatic/kafka";
import { createKafkaConsumer } from "@sinkwire/kafka";
import { describeCommand } from "./command.js";
import { takeIds } from "./take-ids.js";

describeCommand({
  broker: "kafka",
  server: /^Kafka, 1 broker$/,
  ...{ canLook: true, isOrdered: true, hasPort: true, hasClock: false, hasPast: true, hasIds: true },
  async open({ url }) {
    const client = { clientId: "command", bootstrapBrokers: [url] };
    const topic = `hooks-${randomUUID()}`;
    const admin = new Admin(client);
    await admin.createTopics({ topics: [topic], partitions: 3, replicas: 1 });
    await admin.close();
    const producer = new Producer(client);
    return {
      url: `kafka://${url}/${topic}`,
      missing: `kafka://${url}/missing`,
      take: (count) =>
        takeIds(
          createKafkaConsumer({ kafka: { Consumer, Producer }, client, topic, group: topic, deadLetterTopic: null }),
          count,
        ),
      write: (body) => producer.send({ messages: [{ topic, value: Buffer.from(body) }], acks: -1 }),
      close: () => producer.close(),
    };
  },
});
