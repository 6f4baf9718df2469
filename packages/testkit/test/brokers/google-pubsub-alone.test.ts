import { v1 } from "@google-cloud/pubsub";
import { DEAD_LETTER_NAMES, type Delivery, type MessageDelivery, type Publisher, serve } from "@sinkwire/delivery";
import {
  createPubsubConsumer,
  createPubsubPublisher,
  fromPubsub,
  PUBSUB_LIMITS,
  type PubsubConsumerOptions,
  type PubsubPublisherOptions,
  toPubsub,
} from "@sinkwire/google-pubsub";
import { type EncodedMessage, encodeMessage, type PublishContext } from "@sinkwire/message";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Broker, startBroker, waitUntil } from "../../src/brokers/index.js";
import { plainHook, publishUntilTaken, takeUntil } from "../../src/transport-suite/index.js";
import { ACK_DEADLINE_MS, configOf } from "../../src/transport-suite/transports/google-pubsub.js";
import { runSnippets } from "./run-snippets.js";

const WAIT = { limitMs: 60_000 };

describe("Google Pub/Sub alone", () => {
  let broker: Broker;
  let publishing: v1.PublisherClient;
  let subscribing: v1.SubscriberClient;
  let made = 0;
  let topic = "";
  let subscription = "";
  beforeAll(async () => {
    broker = await startBroker("google-pubsub", { own: true });
    publishing = new v1.PublisherClient(await configOf(broker.url));
    subscribing = new v1.SubscriberClient(await configOf(broker.url));
  });
  beforeEach(async () => {
    made++;
    topic = `projects/alone/topics/t${made}`;
    subscription = `projects/alone/subscriptions/s${made}`;
    await make();
  });
  afterAll(async () => {
    await publishing?.close();
    await subscribing?.close();
    await broker?.stop();
  });

  it("is used as its page shows", async () => {
    process.env["PUBSUB_EMULATOR_HOST"] = broker.url;
    for (const name of ["hooks", "hooks-dead"]) await publishing.createTopic({ name: `projects/acme/topics/${name}` });
    const billing = { name: "projects/acme/subscriptions/billing", topic: "projects/acme/topics/hooks" };
    await subscribing.createSubscription({ ...billing, ackDeadlineSeconds: 10, enableMessageOrdering: true });
    // Both programs end by themselves: nothing of theirs is left open.
    const printed = await runSnippets("packages/google-pubsub/README.md", { shown: "-", url: "-" }, "evt_1");
    expect(printed).toEqual([expect.stringMatching(/^m\d+\n$/), "evt_1\n"]);
  });

  it("ends with an error that names a subscription that is missing", async () => {
    const consumer = consumerOf({ subscription: "projects/alone/subscriptions/none" });
    await expect(serve(consumer, () => {})).rejects.toThrow('subscription "projects/alone/subscriptions/none": ');
    await consumer.close();
  });

  it("ends with an error when its client is closed", async () => {
    const client = new v1.SubscriberClient(await configOf(broker.url));
    await client.initialize();
    await client.close();
    await expect(serve(consumerOf({ client }), () => {})).rejects.toThrow("already been closed");
  });

  it("says that nothing was published when its client is closed", async () => {
    const client = new v1.PublisherClient(await configOf(broker.url));
    await client.initialize();
    await client.close();
    await expect(publisherOf({ client }).publish(encode("evt_1"))).rejects.toMatchObject({
      ...{ code: "publish_failed", outcome: "not_published", retryable: true },
    });
  });

  it("says that nothing was published when there is no server", async () => {
    const client = new v1.PublisherClient(await configOf("127.0.0.1:1"));
    await expect(publisherOf({ client }).publish(encode("evt_1"))).rejects.toMatchObject({
      ...{ code: "publish_failed", outcome: "not_published", retryable: true },
      message: expect.stringContaining(topic),
    });
    await client.close();
  });

  it("does not let later messages of a key overtake one that failed", async () => {
    const publisher = publisherOf();
    const names = ["k-1", "k-2", "k-3"];
    broker.freeze();
    const first = new AbortController();
    const sends = [settle(publisher.publish(keyed("k-1"), { signal: first.signal }))];
    await nextTurns();
    sends.push(...names.slice(1).map((id) => settle(publisher.publish(keyed(id)))));
    const other = settle(publisher.publish(keyed("other-1")));
    await nextTurns();
    first.abort(new Error("enough"));
    await expect(sends[0]).resolves.toMatchObject({ outcome: "unknown" });
    broker.resume();
    // The server took the first one all the same; those behind it were not even sent.
    for (const behind of await Promise.all(sends.slice(1))) {
      expect(behind).toMatchObject({ code: "publish_failed", outcome: "not_published", cause: { outcome: "unknown" } });
    }
    await expect(other).resolves.toMatchObject({ address: topic });

    // The key is free again at once, without any doing.
    for (const id of names) await publisher.publish(keyed(id));
    const consumer = consumerOf();
    const seen: string[] = [];
    await takeUntil(consumer, ({ message: { id } }) => seen.push(id) === names.length + 2);
    expect(seen.filter((id) => id !== "other-1")).toEqual(["k-1", ...names]);
    await consumer.close();
  });

  it("keeps the order of many keys over a burst that is sent in batches", async () => {
    const publisher = publisherOf({ inFlight: { maxMessages: 40 } });
    const sent = Array.from({ length: 120 }, (_, i) => `k${i % 3}-${Math.floor(i / 3)}`);
    const receipts = await Promise.all(sent.map((id) => publisher.publish(keyed(id))));
    expect(new Set(receipts.map(({ id }) => id)).size).toBe(sent.length);
    const consumer = consumerOf();
    const seen: string[] = [];
    await takeUntil(consumer, ({ message: { id } }) => seen.push(id) === sent.length, { concurrency: 20 });
    for (const key of ["k0-", "k1-", "k2-"]) {
      expect(seen.filter((id) => id.startsWith(key))).toEqual(sent.filter((id) => id.startsWith(key)));
    }
    await consumer.close();
  });

  it("does not report as published what a server died with", async () => {
    const publisher = publisherOf();
    await publisher.publish(encode("evt_before"));
    broker.freeze();
    const sends = Array.from({ length: 10 }, (_, i) => settle(publisher.publish(encode(`evt_${i}`))));
    await nextTurns();
    await broker.kill();
    for (const failed of await Promise.all(sends)) {
      expect(failed).toMatchObject({ code: "publish_failed", outcome: "unknown" });
    }
    await broker.restart();
    await make();
    await publishUntilTaken(publisher, encode("evt_after"));
    const consumer = consumerOf();
    const seen: string[] = [];
    await takeUntil(consumer, ({ message: { id } }) => seen.push(id) > 0);
    expect(seen).toEqual(["evt_after"]);
    await consumer.close();
  });

  it("extends the lease of a message that is handled, and of one that waits for a later retry", async () => {
    const [longTopic, longSubscription] = [topic, subscription];
    made++;
    [topic, subscription] = [`projects/alone/topics/t${made}`, `projects/alone/subscriptions/s${made}`];
    await make();
    await publisherOf().publish(encode("evt_clock"));
    const publisher = publisherOf({ topic: longTopic });
    for (const id of ["evt_handled", "evt_held"]) await publisher.publish(encode(id));

    const deliveries = new Map<string, number>();
    let isOver = false;
    const leaseIsOver = leaseRanOut(subscription).then(() => {
      isOver = true;
    });
    const handle = async ({ message: { id } }: MessageDelivery): Promise<boolean> => {
      const count = (deliveries.get(id) ?? 0) + 1;
      deliveries.set(id, count);
      if (id === "evt_held" && count === 1) throw new Error("not yet");
      // What is handled outlives its first lease twice over; what is held comes when that was over.
      if (id === "evt_handled") await leaseIsOver;
      expect(isOver).toBe(true);
      return deliveries.size === 2 && deliveries.get("evt_held") === 2;
    };
    const consumer = consumerOf({ subscription: longSubscription });
    await takeUntil(consumer, handle, { backoff: () => ACK_DEADLINE_MS + 2_000 });
    await consumer.close();
    expect([...deliveries].sort()).toEqual([
      ["evt_handled", 1],
      ["evt_held", 2],
    ]);
  });

  it("yields no more than its prefetch until something is settled", async () => {
    const publisher = publisherOf();
    await Promise.all(Array.from({ length: 60 }, (_, i) => publisher.publish(encode(`evt_${i}`))));
    const consumer = consumerOf({ prefetch: 3, streams: 1 });
    const iteration = consumer.deliveries()[Symbol.asyncIterator]();
    const inHand: Delivery[] = [];
    while (inHand.length < 3) inHand.push((await iteration.next()).value);
    let isYielded = false;
    const next = iteration.next().then(({ value }) => {
      isYielded = true;
      return value as Delivery;
    });
    // Another one gets on with what is left, as far as the server has not handed it to the first one's stream.
    const other = consumerOf();
    let count = 0;
    await takeUntil(other, () => ++count === 10);
    await other.close();
    expect(isYielded).toBe(false);
    await inHand[0]?.ack();
    expect((await next).kind).toBe("message");
    await consumer.close();
  });

  it("tells the attempt of a subscription that counts", async () => {
    await subscribing.deleteSubscription({ subscription });
    const deadLetterPolicy = { deadLetterTopic: topic, maxDeliveryAttempts: 5 };
    await subscribing.createSubscription({ name: subscription, topic, ackDeadlineSeconds: 10, deadLetterPolicy });
    await publisherOf().publish(encode("evt_1"));
    const attempts: (number | null)[] = [];
    const consumer = consumerOf();
    const handle = ({ attempt }: MessageDelivery): boolean => {
      if (attempts.push(attempt) < 3) throw new Error("not yet");
      return true;
    };
    await takeUntil(consumer, handle, { backoff: () => 0 });
    expect(attempts).toEqual([1, 2, 3]);
    await consumer.close();
  });

  it.each([100, "the most"] as const)(
    "keeps what a dead letter of a message of %s bytes was, and why",
    async (size) => {
      const deadTopic = `${topic}-dead`;
      await publishing.createTopic({ name: deadTopic });
      await subscribing.createSubscription({ name: `${subscription}-dead`, topic: deadTopic, ackDeadlineSeconds: 10 });
      const empty = toPubsub({ ...plainHook("evt_1", 100), content_type: "" }, { ordering_key: "k" });
      const filler = size === 100 ? 0 : PUBSUB_LIMITS.maxBytes - empty.size;
      const sent = encodeMessage(
        { ...plainHook("evt_1", 100), content_type: "x".repeat(filler) },
        { ordering_key: "k" },
        { maxBytes: PUBSUB_LIMITS.maxBytes },
      );
      await publisherOf().publish(sent);
      const consumer = consumerOf({ deadLetters: { client: publishing, topic: deadTopic } });
      const iteration = consumer.deliveries()[Symbol.asyncIterator]();
      const delivery: Delivery = (await iteration.next()).value;
      await delivery.reject("no such customer", { code: "unknown_customer" });
      await consumer.close();

      const [letters] = await subscribing.pull({ subscription: `${subscription}-dead`, maxMessages: 10 });
      expect(letters.receivedMessages).toHaveLength(1);
      const letter = letters.receivedMessages?.[0]?.message;
      expect(letter).toMatchObject({
        orderingKey: "k",
        attributes: {
          [DEAD_LETTER_NAMES.reason]: "no such customer",
          [DEAD_LETTER_NAMES.code]: "unknown_customer",
        },
      });
      const whole = { [DEAD_LETTER_NAMES.address]: subscription, ankusa_id: "evt_1" };
      if (size === 100) expect(letter?.attributes).toMatchObject(whole);
      expect(Buffer.from(letter?.data as Uint8Array).equals(sent.bytes)).toBe(true);
      expect(fromPubsub(letter as { data: Uint8Array }).kind).toBe("message");
      const [left] = await subscribing.pull({ subscription, maxMessages: 10 });
      expect(left.receivedMessages).toEqual([]);
    },
  );

  describe.each(["frozen", "gone"] as const)("with a server that is %s", (state) => {
    it("closes", async () => {
      const publisher = publisherOf({ timeoutMs: 1_000 });
      await publisher.publish(encode("evt_1"));
      const consumer = consumerOf();
      const iteration = consumer.deliveries()[Symbol.asyncIterator]();
      const delivery: Delivery = (await iteration.next()).value;
      if (state === "frozen") broker.freeze();
      else await broker.kill();
      const sending = settle(publisher.publish(encode("evt_2")));
      await publisher.close();
      await expect(sending).resolves.toHaveProperty("outcome");
      await consumer.close();
      expect(delivery.signal.aborted).toBe(true);
      await delivery.ack();
      expect((await iteration.next()).done).toBe(true);
      if (state === "frozen") broker.resume();
      else await broker.restart();
    });
  });

  async function make(): Promise<void> {
    await waitUntil(() => publishing.createTopic({ name: topic }, { retry: null }), WAIT);
    const made = { name: subscription, topic, ackDeadlineSeconds: ACK_DEADLINE_MS / 1_000 };
    await waitUntil(
      () => subscribing.createSubscription({ ...made, enableMessageOrdering: true }, { retry: null }),
      WAIT,
    );
  }

  function publisherOf(options: Partial<PubsubPublisherOptions> = {}): Publisher {
    return createPubsubPublisher({ client: publishing, topic, ...options });
  }

  function consumerOf(options: Partial<PubsubConsumerOptions> = {}): ReturnType<typeof createPubsubConsumer> {
    return createPubsubConsumer({
      ...{ client: subscribing, subscription, deadLetters: null, ackDeadlineMs: ACK_DEADLINE_MS },
      ...options,
    });
  }

  /** Takes a message without extending its lease, and waits until the server takes it back. */
  async function leaseRanOut(name: string): Promise<void> {
    for (let taken = 0; taken < 2; ) {
      const [{ receivedMessages }] = await subscribing.pull({ subscription: name, maxMessages: 1 });
      taken += receivedMessages?.length ?? 0;
    }
  }
});

function encode(id: string, context: PublishContext | null = null): EncodedMessage {
  return encodeMessage(plainHook(id), context);
}

/** A message whose key is what stands before the dash. */
function keyed(id: string): EncodedMessage {
  return encode(id, { ordering_key: id.split("-", 1)[0] ?? "" });
}

/** Lets what was called get as far as it can without an answer. */
async function nextTurns(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
}

function settle<T>(promise: Promise<T>): Promise<unknown> {
  return promise.catch((error: unknown) => error);
}
