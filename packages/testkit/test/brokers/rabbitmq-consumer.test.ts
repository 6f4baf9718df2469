import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type Delivery, serve } from "@sinkwire/delivery";
import { createRabbitmqConsumer } from "@sinkwire/rabbitmq";
import { type Channel, connect, type RecoveringChannelModel } from "amqplib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Broker, startBroker, waitUntil } from "../../src/brokers/index.js";
import { plainHook, takeUntil } from "../../src/transport-suite/index.js";
import { connectRabbitmq, rabbitmqMessage } from "./rabbitmq-client.js";
import { runSnippets } from "./run-snippets.js";

describe("RabbitMQ's consumer alone", () => {
  let broker: Broker;
  let connection: RecoveringChannelModel;
  beforeAll(async () => {
    broker = await startBroker("rabbitmq", { own: true });
    connection = await connectRabbitmq(broker.url);
  });
  afterAll(async () => {
    await connection?.close();
    await broker?.stop();
  });

  async function channel(): Promise<Channel> {
    const opened = await connection.createChannel();
    opened.on("error", () => {});
    return opened;
  }

  /** A new queue with some messages. */
  async function queueOf(count: number): Promise<string> {
    const queue = `queue-${randomUUID()}`;
    const opened = await connection.createConfirmChannel();
    await opened.assertQueue(queue, { durable: true });
    for (let i = 0; i < count; i++) {
      opened.sendToQueue(queue, Buffer.from(rabbitmqMessage(plainHook(`evt_${i}`)).bytes), { persistent: true });
    }
    await opened.waitForConfirms();
    await opened.close();
    return queue;
  }

  async function next(deliveries: AsyncIterator<Delivery>): Promise<Delivery> {
    const { value } = await deliveries.next();
    return value;
  }

  const aborted = (signal: AbortSignal): Promise<void> =>
    waitUntil(() => expect(signal.aborted).toBe(true), { limitMs: 60_000 });
  const ready = async (queue: string): Promise<number> => {
    const opened = await channel();
    const { messageCount } = await opened.checkQueue(queue);
    await opened.close();
    return messageCount;
  };

  it("is used as its page shows", async () => {
    const admin = await channel();
    await admin.assertExchange("hooks", "topic", { durable: true });
    await admin.assertQueue("billing", { durable: true });
    await admin.bindQueue("billing", "hooks", "ankusa.#");
    const server = { shown: "amqp://127.0.0.1:5672", url: broker.url };
    expect(await runSnippets("packages/rabbitmq/README.md", server, "evt_1")).toEqual(["hooks\n", "evt_1\n"]);
  });

  it("ends with an error that names a queue that is missing", async () => {
    const consumer = createRabbitmqConsumer({ connection, queue: "nobody" });
    await expect(serve(consumer, () => {})).rejects.toThrow(/^queue "nobody": .*no queue/);
    await consumer.close();
  });

  it("ends with an error when its connection is closed for good", async () => {
    const queue = await queueOf(0);
    const open = [await connect(broker.url), await connectRabbitmq(broker.url)];
    for (const own of open) {
      const consumer = createRabbitmqConsumer({ connection: own, queue });
      const serving = expect(serve(consumer, () => {})).rejects.toThrow(`queue "${queue}"`);
      const isConsumed = async (): Promise<void> => {
        expect((await (await channel()).checkQueue(queue)).consumerCount).toBe(1);
      };
      await waitUntil(isConsumed, { limitMs: 60_000 });
      await own.close();
      await serving;
      await consumer.close();
    }
  });

  it("ends with the error of a connection that has given up", async () => {
    const own = await connect(broker.url, { recovery: { maxRetries: 0 } });
    own.on("error", () => {});
    const consumer = createRabbitmqConsumer({ connection: own, queue: await queueOf(0) });
    const serving = expect(serve(consumer, () => {})).rejects.toThrow('queue "queue-');
    await broker.kill();
    await serving;
    await broker.restart();
  });

  it("holds no more than its prefetch", async () => {
    const queue = await queueOf(10);
    const consumer = createRabbitmqConsumer({ connection, queue, prefetch: 3 });
    const deliveries = consumer.deliveries()[Symbol.asyncIterator]();
    const first = await next(deliveries);
    await waitUntil(async () => expect(await ready(queue)).toBe(7), { limitMs: 60_000 });
    await first.ack();
    await waitUntil(async () => expect(await ready(queue)).toBe(6), { limitMs: 60_000 });
    await consumer.close();
    await waitUntil(async () => expect(await ready(queue)).toBe(9), { limitMs: 60_000 });
  });

  it("settles a verb when the server knows", async () => {
    const consumer = createRabbitmqConsumer({ connection, queue: await queueOf(1) });
    const delivery = await next(consumer.deliveries()[Symbol.asyncIterator]());
    broker.freeze();
    let isSettled = false;
    const settling = delivery.ack().then(() => {
      isSettled = true;
    });
    await setImmediate();
    expect(isSettled).toBe(false);
    broker.resume();
    await settling;
    await consumer.close();
  });

  it("gives up holding a retry before the server's limit", async () => {
    const queue = await queueOf(1);
    const consumer = createRabbitmqConsumer({ connection, queue, maxHoldMs: 300 });
    const attempts: (number | null)[] = [];
    const handle = ({ attempt }: Delivery): boolean => {
      if (attempts.push(attempt) === 1) throw new Error("not yet");
      return true;
    };
    await takeUntil(consumer, handle, { backoff: () => 86_400_000 });
    expect(attempts).toEqual([1, null]);
    await consumer.close();
  });

  it("gives a held retry back at once when the iteration ends", async () => {
    const queue = await queueOf(1);
    const consumer = createRabbitmqConsumer({ connection, queue });
    const stop = new AbortController();
    const deliveries = consumer.deliveries({ signal: stop.signal })[Symbol.asyncIterator]();
    const retrying = (await next(deliveries)).retry({ afterMs: 86_400_000 });
    stop.abort();
    await retrying;
    expect(await ready(queue)).toBe(1);
    await consumer.close();
  });

  it("goes on after the server closed its channel, whose verbs do nothing more", async () => {
    const queue = await queueOf(1);
    const channels: Channel[] = [];
    const watched = {
      ...{ on: () => {}, removeListener: () => {}, createConfirmChannel: () => connection.createConfirmChannel() },
      async createChannel() {
        const opened = await connection.createChannel();
        channels.push(opened);
        return opened;
      },
    };
    const consumer = createRabbitmqConsumer({ connection: watched, queue });
    const deliveries = consumer.deliveries()[Symbol.asyncIterator]();
    const first = await next(deliveries);
    channels[0]?.ack({ fields: { deliveryTag: 1_000 } } as never);
    await aborted(first.signal);
    await first.ack();
    const second = await next(deliveries);
    expect(channels).toHaveLength(2);
    expect(second).toMatchObject({ kind: "message", attempt: null });
    await second.ack();
    await consumer.close();
    expect(await ready(queue)).toBe(0);
  });

  it("takes back what it handed out when its queue is deleted, and ends with an error that names it", async () => {
    const queue = await queueOf(1);
    const consumer = createRabbitmqConsumer({ connection, queue });
    const deliveries = consumer.deliveries()[Symbol.asyncIterator]();
    const { signal } = await next(deliveries);
    await (await channel()).deleteQueue(queue);
    await expect(deliveries.next()).rejects.toThrow(`queue "${queue}"`);
    expect(signal.aborted).toBe(true);
    await consumer.close();
  });

  it("stops and closes while the server is away, and while it stands still", async () => {
    const queue = await queueOf(2);
    const consumer = createRabbitmqConsumer({ connection, queue, prefetch: 1 });
    const deliveries = consumer.deliveries()[Symbol.asyncIterator]();
    const first = await next(deliveries);
    await broker.kill();
    await aborted(first.signal);
    await consumer.close();
    expect(await deliveries.next()).toEqual({ done: true, value: undefined });
    await broker.restart();

    const again = consumer.deliveries()[Symbol.asyncIterator]();
    const held = await next(again);
    broker.freeze();
    try {
      await consumer.close();
      expect(held.signal.aborted).toBe(true);
    } finally {
      broker.resume();
    }
    await waitUntil(async () => expect(await ready(queue)).toBe(2), { limitMs: 60_000 });
  });

  it("loses a delivery that is handled for longer than the server waits, and gets it again", async () => {
    const queue = await queueOf(1);
    const settings = "[{rabbit, [{consumer_timeout, 500}, {channel_tick_interval, 200}]}].\n";
    writeFileSync(join(broker.folder ?? "", "advanced.config"), settings);
    await broker.restart();
    const consumer = createRabbitmqConsumer({ connection, queue });
    const attempts: (number | null)[] = [];
    await takeUntil(consumer, async ({ attempt, signal }) => {
      if (attempts.push(attempt) > 1) return true;
      await aborted(signal);
      expect(String(signal.reason)).toContain("timed out");
      return false;
    });
    expect(attempts).toEqual([1, null]);
    await consumer.close();
  });
});
