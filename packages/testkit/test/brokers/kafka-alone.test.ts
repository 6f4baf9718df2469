import { randomUUID } from "node:crypto";
import { Consumer, Producer, type ProducerOptions } from "@platformatic/kafka";
import { type Consumer as Deliveries, type MessageDelivery, type Publisher, serve } from "@sinkwire/delivery";
import { createKafkaConsumer, createKafkaPublisher } from "@sinkwire/kafka";
import type { EncodedMessage, PublishContext } from "@sinkwire/message";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Broker, committedOffsets, startBroker, waitUntil } from "../../src/brokers/index.js";
import { plainHook, takeUntil } from "../../src/transport-suite/index.js";
import {
  createTopics,
  kafka,
  recordsOf,
  SESSION_TIMEOUT_MS,
  type TopicOptions,
} from "../../src/transport-suite/transports/kafka.js";
import { runSnippets } from "./run-snippets.js";

type PublisherOptions = Partial<Parameters<typeof createKafkaPublisher>[0]>;

const limitMs = 60_000;

describe("Kafka alone", () => {
  let broker: Broker;
  const closers: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    broker = await startBroker("kafka", { own: true });
  });
  afterAll(async () => {
    for (const close of closers) await close();
    await broker?.stop();
  });

  // The server forgets the sequence numbers of records that are a day old.
  const encode = (id: string, context: PublishContext | null = null, bodyBytes?: number): EncodedMessage =>
    kafka.encode({ ...plainHook(id, bodyBytes), received_at: Date.now() }, context, null);
  const newTopic = async (options?: TopicOptions): Promise<string> => {
    const topic = `topic-${randomUUID()}`;
    await createTopics(broker.url, [topic], options);
    return topic;
  };
  const clientTo = () => ({ clientId: "alone", bootstrapBrokers: [broker.url] });
  const publisherTo = (topic: string, options: PublisherOptions = {}): Publisher => {
    const publisher = createKafkaPublisher({ kafka: { Producer }, client: clientTo(), topic, ...options });
    closers.push(() => publisher.close());
    return publisher;
  };
  const consumerOf = (topic: string, deadLetterTopic: string | null = null): Deliveries => {
    const consumer = createKafkaConsumer({
      kafka: { Consumer, Producer },
      client: clientTo(),
      ...{ topic, group: topic, deadLetterTopic, sessionTimeoutMs: SESSION_TIMEOUT_MS },
    });
    closers.push(() => consumer.close());
    return consumer;
  };
  const committedOf = async (topic: string): Promise<(number | null)[]> => {
    const offsets = await committedOffsets(broker, topic);
    return offsets.map(({ committed }) => (committed === null ? null : Number(committed)));
  };

  it("never commits an offset that passes an unfinished one", async () => {
    const topic = await newTopic();
    const publisher = publisherTo(topic);
    const count = 12;
    for (let i = 0; i < count; i++) await publisher.publish(encode(`evt_${i}`, { ordering_key: `key-${i}` }));
    const consumer = consumerOf(topic);
    const held = new Map<number, () => void>();
    const finished = new Set<number>();
    const serving = takeUntil(
      consumer,
      async ({ message }) => {
        const offset = Number(message.id.slice("evt_".length));
        if (offset === 3 || offset === 7) await new Promise<void>((resolve) => held.set(offset, resolve));
        return finished.add(offset).size === count;
      },
      { concurrency: count },
    );
    const seen: (number | null)[] = [];
    const reach = async (offset: number): Promise<void> => {
      await waitUntil(
        async () => {
          const [committed = null] = await committedOf(topic);
          seen.push(committed);
          expect(committed).toBe(offset);
        },
        { limitMs },
      );
    };
    await waitUntil(() => expect(finished.size).toBe(count - 2), { limitMs });
    await reach(3);
    held.get(3)?.();
    await reach(7);
    held.get(7)?.();
    await serving;
    await consumer.close();
    await reach(count);
    expect(seen.every((committed) => committed === null || [0, 1, 2, 3, 7, count].includes(committed))).toBe(true);
  });

  it("keeps each key's order in 10,000 records over two restarts, and stores each once", async () => {
    const topic = await newTopic({ partitions: 4 });
    const [count, keys] = [10_000, 40];
    const publisher = publisherTo(topic, { timeoutMs: 110_000 });
    const ids = Array.from({ length: count }, (_, i) => `${i % keys}-${i}`);
    const idsOf = (key: number): string[] => ids.filter((id) => id.startsWith(`${key}-`));
    const consumer = consumerOf(topic);
    const handled = new Set<string>();
    const taking = takeUntil(consumer, ({ message }) => handled.add(message.id).size === count, { concurrency: 20 });
    let published = 0;
    const restarts: Promise<void>[] = [];
    await Promise.all(
      ids.map(async (id) => {
        await publisher.publish(encode(id, { ordering_key: `key-${id.split("-")[0]}` }));
        published++;
        if (published === 3_000 || published === 6_000) restarts.push(broker.restart());
      }),
    );
    await Promise.all(restarts);
    await taking;
    await consumer.close();
    const stored = await recordsOf(broker.url, topic);
    expect(stored).toHaveLength(count);
    for (let key = 0; key < keys; key++) {
      const own = stored.filter((record) => record.key === `key-${key}`);
      expect(own.map(({ value }) => JSON.parse(String(value)).id)).toEqual(idsOf(key));
      expect([...handled].filter((id) => id.startsWith(`${key}-`))).toEqual(idsOf(key));
    }
  });

  it("stores once, and in order, what it sent again over a new connection", async () => {
    const topic = await newTopic();
    let connections = 0;
    class Counted extends Producer {
      constructor(options: ProducerOptions<Buffer, Buffer, Buffer, Buffer>) {
        super(options);
        this.on("client:broker:connect", () => connections++);
      }
    }
    const client = { ...clientTo(), requestTimeout: 1_000 };
    const publisher = publisherTo(topic, { kafka: { Producer: Counted }, client, timeoutMs: 110_000 });
    await publisher.publish(encode("evt_0"));
    broker.freeze();
    const before = connections;
    const rest = [1, 2, 3].map((i) => publisher.publish(encode(`evt_${i}`)));
    await waitUntil(() => expect(connections).toBeGreaterThan(before), { limitMs });
    broker.resume();
    expect((await Promise.all(rest)).map(({ id }) => id)).toEqual(["0:1", "0:2", "0:3"]);
    await publisher.publish(encode("evt_4"));
    const ids = (await recordsOf(broker.url, topic)).map(({ value }) => JSON.parse(String(value)).id);
    expect(ids).toEqual(["evt_0", "evt_1", "evt_2", "evt_3", "evt_4"]);
  });

  it("tells the record that is too large for the topic from those beside it", async () => {
    const topic = await newTopic({ configs: [{ name: "max.message.bytes", value: "4096" }] });
    const publisher = publisherTo(topic);
    const sizes = [100, 100, 8_000, 100, 100];
    const results = await Promise.allSettled(
      sizes.map((bytes, i) => publisher.publish(encode(`evt_${i}`, null, bytes))),
    );
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "fulfilled",
      "fulfilled",
    ]);
    expect(results[2]).toMatchObject({
      reason: { code: "publish_rejected", outcome: "not_published", retryable: false },
    });
    const ids = (await recordsOf(broker.url, topic)).map(({ value }) => JSON.parse(String(value)).id);
    expect(ids).toEqual(["evt_0", "evt_1", "evt_3", "evt_4"]);
  });

  it("aborts what the group gives to another, whose acknowledgement then does nothing", async () => {
    const topic = await newTopic({ partitions: 2 });
    const publisher = publisherTo(topic);
    for (let i = 0; i < 20; i++) await publisher.publish(encode(`evt_${i}`, { ordering_key: `key-${i}` }));
    const consumer = consumerOf(topic);
    const held: MessageDelivery[] = [];
    const iterator = consumer.deliveries()[Symbol.asyncIterator]();
    while (held.length < 20) held.push((await iterator.next()).value);
    const other = consumerOf(topic);
    const ids = new Set<string>();
    const stop = new AbortController();
    const serving = serve(other, ({ message }) => void ids.add(message.id), { signal: stop.signal });
    await waitUntil(() => expect(held.some(({ signal }) => signal.aborted)).toBe(true), { limitMs });
    const [moved, kept] = [true, false].map((isMoved) => held.filter(({ signal }) => signal.aborted === isMoved));
    for (const delivery of held) await delivery.ack();
    await consumer.close();
    // The other one gets the rest when this one leaves: nothing, since all of it is acknowledged.
    const idsOf = (some: MessageDelivery[] = []): string[] => some.map(({ message }) => message.id).sort();
    await waitUntil(() => expect([...ids].sort()).toEqual(idsOf(moved)), { limitMs });
    expect(kept).not.toHaveLength(0);
    stop.abort();
    await serving;
    await other.close();
    expect((await committedOf(topic)).reduce<number>((sum, offset) => sum + (offset ?? 0), 0)).toBe(20);
  });

  it("holds up no other key while one waits for its retry", async () => {
    const topic = await newTopic();
    const publisher = publisherTo(topic);
    for (const id of ["a-1", "a-2", "b-1", "b-2"]) {
      await publisher.publish(encode(id, { ordering_key: id.slice(0, 1) }));
    }
    const consumer = consumerOf(topic);
    const handled: string[] = [];
    let isFailed = false;
    const handle = ({ message }: MessageDelivery): boolean => {
      if (message.id === "a-1" && !isFailed) {
        isFailed = true;
        throw new Error("not yet");
      }
      return handled.push(message.id) === 4;
    };
    await takeUntil(consumer, handle, { backoff: () => 2_000 });
    expect(handled).toEqual(["b-1", "b-2", "a-1", "a-2"]);
    await consumer.close();
  });

  it("keeps key, headers and reason of what is rejected, and rejects what has no key", async () => {
    const [topic, dead] = [await newTopic(), await newTopic()];
    const publisher = publisherTo(topic);
    await publisher.publish(encode("evt_1", { ordering_key: "mine" }));
    const consumer = consumerOf(topic, dead);
    const fatal = Object.assign(new Error("no such account"), { retryable: false, code: "gone" });
    const stop = new AbortController();
    await serve(
      consumer,
      () => {
        stop.abort();
        throw fatal;
      },
      { signal: stop.signal },
    );
    await consumer.close();
    expect(await recordsOf(broker.url, dead)).toMatchObject([{ key: "mine" }]);
    const letters: string[] = [];
    await takeUntil(consumerOf(dead), ({ pairs }) => {
      for (const [name, value] of pairs) letters.push(`${name}=${Buffer.from(value)}`);
      return true;
    });
    expect(letters).toContain("ankusa_id=evt_1");
    expect(letters.some((pair) => pair.endsWith("=no such account"))).toBe(true);
    expect(await committedOf(topic)).toEqual([1]);
  });

  it("ends with an error that names a topic that is missing", async () => {
    await expect(serve(consumerOf("nowhere"), () => {})).rejects.toThrow('topic "nowhere"');
    const topic = await newTopic();
    await expect(serve(consumerOf(topic, "nowhere.dead"), () => {})).rejects.toThrow('topic "nowhere.dead"');
  });

  it("closes while the server stands still, and while it is gone", async () => {
    const topic = await newTopic();
    for (const stopServer of [async () => broker.freeze(), () => broker.kill()]) {
      const publisher = publisherTo(topic, { timeoutMs: 1_000 });
      await publisher.publish(encode("evt_1"));
      const consumer = consumerOf(topic);
      const taken = await consumer.deliveries()[Symbol.asyncIterator]().next();
      await stopServer();
      const publishing = publisher.publish(encode("evt_2"));
      await taken.value.ack();
      const closed = Promise.all([publisher.close(), consumer.close()]);
      await expect(publishing).rejects.toMatchObject({ code: "publish_failed" });
      await closed;
      await broker.restart();
    }
  });

  it("is used as its page shows", async () => {
    await createTopics(broker.url, ["hooks", "hooks.dead"]);
    const server = { shown: "127.0.0.1:9092", url: broker.url };
    expect(await runSnippets("packages/kafka/README.md", server, "evt_1")).toEqual(["0:0\n", "evt_1\n"]);
  });
});
