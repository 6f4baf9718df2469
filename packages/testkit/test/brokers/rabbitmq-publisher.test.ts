import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { PublishError } from "@sinkwire/delivery";
import { decodeMessage } from "@sinkwire/message";
import { createRabbitmqPublisher, type RabbitmqPublisherOptions } from "@sinkwire/rabbitmq";
import { type ConfirmChannel, connect, type RecoveringChannelModel } from "amqplib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Broker, startBroker, waitUntil } from "../../src/brokers/index.js";
import { plainHook, publishUntilTaken } from "../../src/transport-suite/index.js";
import { connectRabbitmq, rabbitmqMessage } from "./rabbitmq-client.js";

describe("RabbitMQ's publisher alone", () => {
  let broker: Broker;
  let connection: RecoveringChannelModel;
  const message = (id: string, bodyBytes?: number) => rabbitmqMessage(plainHook(id, bodyBytes));
  const refused = { code: "publish_failed", outcome: "not_published", retryable: true };
  const permanent = { code: "publish_rejected", outcome: "not_published", retryable: false };

  beforeAll(async () => {
    broker = await startBroker("rabbitmq", { own: true });
    connection = await connectRabbitmq(broker.url);
  });
  afterAll(async () => {
    await connection?.close();
    await broker?.stop();
  });

  const publisherTo = (exchange: string, options: Partial<RabbitmqPublisherOptions> = {}) =>
    createRabbitmqPublisher({ connection, exchange, ...options });

  /** A channel on which a refusal is no surprise. */
  async function channel(): Promise<ConfirmChannel> {
    const opened = await connection.createConfirmChannel();
    opened.on("error", () => {});
    return opened;
  }

  /** A topic exchange and a queue of its name that takes some of its messages. */
  async function bind(name: string, pattern: string, options = {}): Promise<ConfirmChannel> {
    const opened = await channel();
    await opened.assertExchange(name, "topic", { durable: true });
    await opened.assertQueue(name, { durable: true, ...options });
    await opened.bindQueue(name, name, pattern);
    return opened;
  }

  it("declares its exchange, and no queue: what none takes was not published", async () => {
    const publisher = publisherTo("declared");
    await expect(publisher.publish(message("evt_1"))).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining('exchange "declared", routing key "ankusa.orders": no queue'),
    });
    await expect((await channel()).checkQueue("declared")).rejects.toMatchObject({ code: 404 });

    await bind("declared", "#");
    expect(await publisher.publish(message("evt_1"))).toEqual({ address: "declared", id: "", duplicate: false });
    await publisher.close();
  });

  it("tells a returned message from one with its id that was taken", async () => {
    const queue = await bind("half", "ankusa.taken");
    const publisher = publisherTo("half");
    const sent = Array.from({ length: 100 }, (_, i) => {
      const source_id = i % 3 === 0 ? "taken" : "lost";
      return { source_id, published: publisher.publish(rabbitmqMessage({ ...plainHook("evt_same"), source_id })) };
    });
    const results = await Promise.allSettled(sent.map(({ published }) => published));
    expect(results.map(({ status }) => status === "fulfilled")).toEqual(
      sent.map(({ source_id }) => source_id === "taken"),
    );
    expect(await queue.checkQueue("half")).toMatchObject({ messageCount: 34 });
    await publisher.close();
  });

  it("publishes to a queue through the default exchange", async () => {
    await (await channel()).assertQueue("direct");
    const publisher = publisherTo("", { routingKey: "direct" });
    expect(await publisher.publish(message("evt_1"))).toMatchObject({ address: "direct" });
    await publisher.close();
  });

  it("can try again after a queue that is full", async () => {
    await bind("full", "#", { maxLength: 1, overflow: "reject-publish" });
    const publisher = publisherTo("full");
    await publisher.publish(message("evt_1"));
    await expect(publisher.publish(message("evt_2"))).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining("nack"),
    });
    await publisher.close();
  });

  it("names an exchange that is missing, and goes on when it is there", async () => {
    const publisher = publisherTo("later", { declareExchange: false });
    await expect(publisher.publish(message("evt_1"))).rejects.toMatchObject({
      ...refused,
      message: expect.stringMatching(/^exchange "later": .*404/),
    });
    await bind("later", "#");
    expect(await publisher.publish(message("evt_1"))).toMatchObject({ address: "later" });
    await publisher.close();
  });

  it("names an exchange of another kind, which it may use without declaring it", async () => {
    const admin = await channel();
    await admin.assertExchange("fan", "fanout", { durable: true });
    await admin.assertQueue("fan");
    await admin.bindQueue("fan", "fan", "");
    await expect(publisherTo("fan").publish(message("evt_1"))).rejects.toMatchObject({
      ...refused,
      message: expect.stringMatching(/^exchange "fan": .*406/),
    });
    expect(await publisherTo("fan", { declareExchange: false }).publish(message("evt_1"))).toBeDefined();
  });

  it("does not know what became of what it wrote when the exchange was deleted, and declares it anew", async () => {
    const admin = await bind("deleted", "#");
    const publisher = publisherTo("deleted");
    await publisher.publish(message("evt_1"));
    await admin.deleteExchange("deleted");
    await expect(publisher.publish(message("evt_2"))).rejects.toMatchObject({
      code: "publish_failed",
      outcome: "unknown",
      message: expect.stringContaining("no exchange 'deleted'"),
    });
    await expect(publisher.publish(message("evt_2"))).rejects.toMatchObject(refused);
    await bind("deleted", "#");
    expect(await publisher.publish(message("evt_2"))).toMatchObject({ address: "deleted" });
    await publisher.close();
  });

  it("waits while the client's buffer is full", async () => {
    const queue = await bind("drained", "#");
    const seen: ("written" | "full" | "drained")[] = [];
    const watched = {
      ...{ on: () => {}, removeListener: () => {}, createChannel: () => connection.createChannel() },
      async createConfirmChannel() {
        const opened = await connection.createConfirmChannel();
        const { publish } = opened;
        opened.on("drain", () => seen.push("drained"));
        opened.publish = (...sent) => {
          const hasRoom = publish.apply(opened, sent);
          seen.push(hasRoom ? "written" : "full");
          return hasRoom;
        };
        return opened;
      },
    };
    const inFlight = { maxMessages: 5_000 };
    const publisher = createRabbitmqPublisher({ connection: watched, exchange: "drained", inFlight });
    const wanted = Array.from({ length: 3_000 }, (_, i) => message(`evt_${i}`));
    await Promise.all(wanted.map((one) => publisher.publish(one)));
    expect(await queue.checkQueue("drained")).toMatchObject({ messageCount: wanted.length });
    expect(seen).toContain("full");
    expect(new Set(seen.filter((_, i) => seen[i - 1] === "full"))).toEqual(new Set(["drained"]));
    await publisher.close();
  });

  it("refuses for good headers that the client cannot write, and a source that makes no routing key", async () => {
    const publisher = publisherTo("declared");
    const wide = rabbitmqMessage({ ...plainHook("evt_1"), dedupe_key: "x".repeat(70_000) });
    await expect(publisher.publish(wide)).rejects.toMatchObject(permanent);
    const long = { ...decodeMessage(message("evt_1").bytes), source_id: "x".repeat(300) };
    await expect(publisher.publish(long)).rejects.toMatchObject({ ...permanent, cause: { field: "source_id" } });
    expect(await publisher.publish(message("evt_1"))).toMatchObject({ address: "declared" });
    await publisher.close();
  });

  it("is over with a plain connection that closed, and closes all the same", async () => {
    const plain = await connect(broker.url);
    const publisher = createRabbitmqPublisher({ connection: plain, exchange: "declared" });
    await publisher.publish(message("evt_1"));
    await plain.close();
    await expect(publisher.publish(message("evt_2"))).rejects.toMatchObject(refused);
    await publisher.close();
    await expect(publisher.publish(message("evt_3"))).rejects.toMatchObject(refused);
  });

  it("stops waiting for a server that is away, and closes without it", async () => {
    const publisher = publisherTo("declared");
    await publisher.publish(message("evt_1"));
    await broker.kill();
    const stop = new AbortController();
    const waiting = publisher.publish(message("evt_2"), { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(waiting).rejects.toMatchObject({ code: "publish_failed", cause: { message: "enough" } });
    await publisher.close();
    await broker.restart();
  });

  it("closes although the server stands still", async () => {
    const publisher = publisherTo("declared", { timeoutMs: 500 });
    await publishUntilTaken(publisher, message("evt_1"));
    broker.freeze();
    try {
      await expect(publisher.publish(message("evt_2"))).rejects.toMatchObject({ outcome: "unknown" });
      await publisher.close();
    } finally {
      broker.resume();
    }
  });

  it("refuses for good what is over the server's own maximum", async () => {
    configure("max_message_size = 2048");
    await broker.restart();
    const publisher = publisherTo("declared");
    await publishUntilTaken(publisher, message("evt_1"));
    await expect(publisher.publish(message("evt_2", 4_096))).rejects.toMatchObject(permanent);
    expect(await publisher.publish(message("evt_3"))).toMatchObject({ address: "declared" });
    await publisher.close();
  });

  it("writes nothing while the server blocks its connection, and goes on after that", async () => {
    configure("vm_memory_high_watermark.absolute = 1");
    await broker.restart();
    const publisher = publisherTo("declared", { timeoutMs: 1_000 });
    const outcomes: unknown[] = [];
    const isBlocked = async (): Promise<void> => {
      const error = await publisher.publish(message("evt_1")).catch((thrown: PublishError) => thrown);
      outcomes.push("outcome" in error ? error.outcome : "published");
      if (outcomes.at(-2) !== "unknown") throw new Error("not blocked yet");
    };
    await waitUntil(isBlocked, { limitMs: 60_000 });
    expect(outcomes.at(-1)).toBe("not_published");

    configure("vm_memory_high_watermark.relative = 0.9");
    await broker.restart();
    await publishUntilTaken(publisher, message("evt_2"));
    await publisher.close();
  });

  /** Takes effect at the next start. */
  function configure(line: string): void {
    appendFileSync(join(broker.folder ?? "", "rabbitmq.conf"), `${line}\n`);
  }
});
