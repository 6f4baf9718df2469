import { createRedisChannelPublisher, fromRedis, toRedis } from "@sinkwire/redis";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Broker, startBroker } from "../../src/brokers/index.js";
import { plainHook } from "../../src/transport-suite/index.js";

describe("Redis channels", () => {
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

  it("fails without a receiver", async () => {
    const publisher = createRedisChannelPublisher({ client, channel: "nobody" });
    await expect(publisher.publish(message)).rejects.toMatchObject({
      code: "publish_failed",
      outcome: "not_published",
      retryable: true,
      message: expect.stringContaining("no_subscribers"),
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
    await expect(wide.publish(message)).rejects.toMatchObject({ code: "publish_failed", outcome: "unknown" });
  });
});
