import { Admin, Consumer, Producer, stringDeserializers, stringSerializers } from "@platformatic/kafka";
import { expect, it } from "vitest";
import { committedOffsets } from "../../src/brokers/index.js";
import { describeLife } from "./life.js";

const base = (url: string) => ({ clientId: "life", bootstrapBrokers: [url], retries: 2, requestTimeout: 30_000 });

async function using<C extends { close(): Promise<void> }, T>(client: C, work: (client: C) => Promise<T>): Promise<T> {
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

describeLife("kafka", {
  version: /^Apache Kafka 4\.\d+/,
  talk: {
    async write(url, text) {
      await using(new Admin(base(url)), async (admin) => {
        const topics = await admin.listTopics();
        if (!topics.includes("life")) await admin.createTopics({ topics: ["life"], partitions: 1, replicas: 1 });
      });
      await using(new Producer({ ...base(url), serializers: stringSerializers }), (producer) =>
        producer.send({ messages: [{ topic: "life", value: text }], acks: -1 }),
      );
    },
    read: (url) =>
      using(new Consumer({ ...base(url), groupId: "life", deserializers: stringDeserializers }), async (consumer) => {
        const stream = await consumer.consume({
          topics: ["life"],
          mode: "committed",
          fallbackMode: "earliest",
          autocommit: false,
          maxWaitTime: 100,
        });
        try {
          for await (const message of stream) {
            await message.commit();
            return message.value;
          }
          throw new Error("no record");
        } finally {
          await stream.close();
        }
      }),
  },
  more(url) {
    it("tells what a group has committed", async () => {
      expect(await committedOffsets({ url: url() }, "life")).toEqual([
        { topic: "life", partition: 0, committed: 1n, end: 1n },
      ]);
      expect(await committedOffsets({ url: url() }, "nobody")).toEqual([]);
    });
  },
});
