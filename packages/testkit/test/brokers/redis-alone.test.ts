import { serve } from "@sinkwire/delivery";
import { createRedisChannelPublisher, createRedisConsumer, fromRedis, toRedis } from "@sinkwire/redis";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Broker, startBroker } from "../../src/brokers/index.js";
import { plainHook } from "../../src/transport-suite/index.js";
import { runSnippets } from "./run-snippets.js";

describe("Redis alone", () => {
  let broker: Broker;
  let client: Redis;
  let subscriber: Redis;
  const { payload, ...mapped } = toRedis(plainHook("evt_1"));
  const message = { bytes: payload, ...mapped };
  beforeAll(async () => {
    broker = await startBroker("redis", { own: true });
    client = new Redis(broker.url);
    subscriber = new Redis(broker.url);
  });
  afterAll(async () => {
    client?.disconnect();
    subscriber?.disconnect();
    await broker?.stop();
  });

  it("is used as its page shows", async () => {
    await client.xadd("hooks", "*", "other", "field");
    const server = { shown: "redis://127.0.0.1:6379", url: broker.url };
    const [published, consumed] = await runSnippets("packages/redis/README.md", server, "evt_1");
    expect(published).toMatch(/^\d+-\d+\n$/);
    expect(consumed).toBe("evt_1\n");
  });

  it("ends with an error that names a group that is missing", async () => {
    const consumer = createRedisConsumer({ client, stream: "none", group: "nobody", deadLetterStream: null });
    await expect(serve(consumer, () => {})).rejects.toThrow('stream "none", group "nobody"');
    await consumer.close();
  });

  it("fails without a receiver", async () => {
    const publisher = createRedisChannelPublisher({ client, channel: "nobody" });
    await expect(publisher.publish(message)).rejects.toMatchObject({
      code: "no_subscribers",
      outcome: "not_published",
      retryable: true,
      message: expect.stringContaining('"nobody" had 0 receivers'),
    });
  });

  it("reaches a receiver, and knows when there were too few", async () => {
    const received = new Promise<Buffer>((resolve) => {
      subscriber.on("messageBuffer", (_channel, bytes) => resolve(bytes));
    });
    await subscriber.subscribe("one");
    const publisher = createRedisChannelPublisher({ client, channel: "one" });
    expect(await publisher.publish(message)).toEqual({ address: "one", id: "", duplicate: false });
    expect(fromRedis(await received)).toMatchObject({ kind: "message", message: { id: "evt_1" } });

    const wide = createRedisChannelPublisher({ client, channel: "one", minSubscribers: 2 });
    await expect(wide.publish(message)).rejects.toMatchObject({ code: "no_subscribers", outcome: "unknown" });
  });
});
