import { randomUUID } from "node:crypto";
import * as commands from "@aws-sdk/client-sqs";
import { type Delivery, type Publisher, serve } from "@sinkwire/delivery";
import { createSqsConsumer, createSqsPublisher, type SqsConsumerOptions, toSqs } from "@sinkwire/sqs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Broker, startBroker } from "../../src/brokers/index.js";
import { plainHook, takeUntil } from "../../src/transport-suite/index.js";
import { sqsClient } from "../../src/transport-suite/transports/sqs.js";
import { runSnippets } from "./run-snippets.js";

const VISIBILITY_MS = 1_000;

describe("SQS alone", () => {
  let broker: Broker;
  let client: commands.SQSClient;
  beforeAll(async () => {
    broker = await startBroker("sqs", { own: true });
    client = sqsClient(broker.url);
  });
  afterAll(async () => {
    client?.destroy();
    await broker?.stop();
  });

  it("hides a message from others for as long as its handler runs", async () => {
    const queueUrl = await createQueue();
    await publish(queueUrl, "evt_1");
    const seenByOthers: unknown[] = [];
    const consumer = consumerOf(queueUrl);
    await takeUntil(consumer, async ({ signal }) => {
      // Polls of three times the visibility, as the condition that the handler waits for.
      const input = { QueueUrl: queueUrl, WaitTimeSeconds: (3 * VISIBILITY_MS) / 1_000 };
      seenByOthers.push((await client.send(new commands.ReceiveMessageCommand(input))).Messages, signal.aborted);
      return true;
    });
    await consumer.close();
    expect(seenByOthers).toEqual([undefined, false]);
    expect(await counts(queueUrl)).toEqual([0, 0]);
  });

  it("hides a message for longer than its lease when the retry says so", async () => {
    const queueUrl = await createQueue();
    await publish(queueUrl, "evt_1");
    const consumer = consumerOf(queueUrl);
    const afterMs = 2 * VISIBILITY_MS + 100;
    const startedAt: number[] = [];
    const handler = ({ attempt }: Delivery): boolean => {
      startedAt.push(performance.now());
      if (attempt === 1) throw new Error("not yet");
      return true;
    };
    await takeUntil(consumer, handler, { backoff: () => afterMs });
    await consumer.close();
    expect((startedAt[1] ?? 0) - (startedAt[0] ?? 0)).toBeGreaterThanOrEqual(afterMs - 1);
  });

  it("leaves a rejected message to the redrive policy, which moves it after its last attempt", async () => {
    const [queueUrl, deadUrl] = [await createQueue(), await createQueue()];
    const deadLetterTargetArn = await attribute(deadUrl, "QueueArn");
    const RedrivePolicy = JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 2 });
    await client.send(new commands.SetQueueAttributesCommand({ QueueUrl: queueUrl, Attributes: { RedrivePolicy } }));
    await publish(queueUrl, "evt_1");
    const attempts: (number | null)[] = [];
    const handler = ({ attempt }: Delivery): never => {
      attempts.push(attempt);
      throw Object.assign(new Error("never"), { retryable: false });
    };
    const stop = new AbortController();
    const consumer = consumerOf(queueUrl, { deadLetterQueueUrl: null });
    const serving = serve(consumer, handler, { signal: stop.signal });
    const dead = consumerOf(deadUrl);
    await takeUntil(dead, ({ message }) => message.id === "evt_1");
    stop.abort();
    await serving;
    await Promise.all([consumer.close(), dead.close()]);
    expect(attempts).toEqual([1, 2]);
  });

  it("takes a delivery back when its receipt is no good any more, and gets the message again", async () => {
    const queueUrl = await createQueue();
    await publish(queueUrl, "evt_1");
    const handles: string[] = [];
    const listening = {
      async send(command: never, options?: object) {
        const answer = await client.send(command, options);
        handles.push(
          ...((answer as commands.ReceiveMessageResult).Messages ?? []).map((one) => one.ReceiptHandle ?? ""),
        );
        return answer;
      },
    };
    const consumer = consumerOf(queueUrl, { client: listening });
    const attempts: (number | null)[] = [];
    await takeUntil(consumer, async ({ attempt, signal, ack }) => {
      attempts.push(attempt);
      if (attempt !== 1) return true;
      const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve));
      const input = { QueueUrl: queueUrl, ReceiptHandle: handles[0], VisibilityTimeout: 0 };
      await client.send(new commands.ChangeMessageVisibilityCommand(input));
      await aborted;
      await ack();
      return false;
    });
    await consumer.close();
    expect(attempts).toEqual([1, 2]);
  });

  it("keeps a group's order over a failure when what failed is published again in order", async () => {
    const queueUrl = await createQueue(".fifo");
    let calls = 0;
    const failing: SqsConsumerOptions["client"] = {
      send: (command, options) => (calls++ === 0 ? Promise.reject(new Error("down")) : client.send(command, options)),
    };
    const publisher = createSqsPublisher({ client: failing, commands, queueUrl });
    const ids = ["evt_1", "evt_2", "evt_3"];
    const publishAll = () => Promise.allSettled(ids.map((id) => publisher.publish(encode(queueUrl, id))));
    expect((await publishAll()).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect((await publishAll()).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
    const seen: string[] = [];
    const consumer = consumerOf(queueUrl);
    await takeUntil(consumer, ({ message }) => seen.push(message.id) === ids.length);
    await consumer.close();
    expect(seen).toEqual(ids);
  });

  it("ends with an error that names a queue that is missing", async () => {
    const queueUrl = `${broker.url}/000000000000/nobody`;
    await expect(serve(consumerOf(queueUrl), () => {})).rejects.toThrow(`queue "${queueUrl}": it does not exist`);
  });

  it("closes when the server stands still, and comes back with it", async () => {
    const queueUrl = await createQueue();
    const publisher = publisherTo(queueUrl, 500);
    await publisher.publish(encode(queueUrl, "evt_1"));
    const consumer = consumerOf(queueUrl);
    const { value: delivery } = await consumer.deliveries()[Symbol.asyncIterator]().next();
    broker.freeze();
    const publishing = publisher.publish(encode(queueUrl, "evt_2"));
    await expect(publishing).rejects.toMatchObject({ outcome: "unknown", retryable: true });
    await publisher.close();
    await consumer.close();
    expect(delivery?.signal.aborted).toBe(true);
    broker.resume();
    const again = consumerOf(queueUrl);
    await takeUntil(again, ({ message }) => message.id === "evt_1");
    await again.close();
  });

  it("is used as its page shows", async () => {
    const create = (name: string) => client.send(new commands.CreateQueueCommand({ QueueName: name }));
    const [{ QueueUrl: url = "" }] = [await create("hooks"), await create("hooks-dead")];
    const server = {
      shown: "https://sqs.eu-west-1.amazonaws.com/123456789012",
      url: url.slice(0, url.lastIndexOf("/")),
    };
    vi.stubEnv("AWS_ENDPOINT_URL_SQS", broker.url);
    vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
    const printed = await runSnippets("packages/sqs/README.md", server, "evt_1");
    vi.unstubAllEnvs();
    expect(printed).toEqual([expect.stringMatching(/^[0-9a-f-]{36}\n$/), "evt_1\n"]);
  });

  it("says that nothing was published when there is no server", async () => {
    const queueUrl = await createQueue();
    await broker.kill();
    await expect(publish(queueUrl, "evt_1")).rejects.toMatchObject({ outcome: "not_published", retryable: true });
    const consumer = consumerOf(queueUrl);
    const taking = consumer.deliveries()[Symbol.asyncIterator]().next();
    await consumer.close();
    expect(await taking).toEqual({ done: true, value: undefined });
    await broker.restart();
  });

  async function createQueue(suffix = ""): Promise<string> {
    const Attributes = suffix === "" ? {} : { FifoQueue: "true" };
    const command = new commands.CreateQueueCommand({ QueueName: `alone-${randomUUID()}${suffix}`, Attributes });
    return (await client.send(command)).QueueUrl ?? "";
  }

  async function attribute(queueUrl: string, name: commands.QueueAttributeName): Promise<string> {
    const command = new commands.GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: [name] });
    return (await client.send(command)).Attributes?.[name] ?? "";
  }

  /** How many messages can be received, and how many are hidden. */
  async function counts(queueUrl: string): Promise<readonly number[]> {
    const names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"] as const;
    return Promise.all(names.map(async (name) => Number(await attribute(queueUrl, name))));
  }

  function encode(queueUrl: string, id: string) {
    const { MessageBody, form, size, dropped, head } = toSqs(plainHook(id), null, { queueUrl });
    return { bytes: Buffer.from(MessageBody), form, size, dropped, head };
  }

  function publisherTo(queueUrl: string, timeoutMs = 30_000): Publisher {
    return createSqsPublisher({ client, commands, queueUrl, timeoutMs });
  }

  async function publish(queueUrl: string, id: string): Promise<void> {
    await publisherTo(queueUrl).publish(encode(queueUrl, id));
  }

  function consumerOf(queueUrl: string, options: Partial<SqsConsumerOptions> = {}) {
    return createSqsConsumer({
      ...{ client, commands, queueUrl, deadLetterQueueUrl: `${queueUrl}-dead` },
      ...{ visibilityTimeoutMs: VISIBILITY_MS, waitMs: 1_000, ...options },
    });
  }
});

const realQueueUrl = process.env["SINKWIRE_SQS_QUEUE_URL"];
if (realQueueUrl) {
  describe("a queue of the service itself, by its URL", () => {
    it("takes what is published, hands it out, and gives a retried message again", async () => {
      const client = new commands.SQSClient({});
      const id = `evt_${randomUUID()}`;
      const { MessageBody, form, size, dropped } = toSqs(plainHook(id), null, { queueUrl: realQueueUrl });
      const publisher = createSqsPublisher({ client, commands, queueUrl: realQueueUrl });
      const receipt = await publisher.publish({ bytes: Buffer.from(MessageBody), form, size, dropped });
      expect(receipt.id).not.toBe("");
      const consumer = createSqsConsumer({
        ...{ client, commands, queueUrl: realQueueUrl, deadLetterQueueUrl: `${realQueueUrl}-dead` },
        visibilityTimeoutMs: 10_000,
      });
      const attempts: (number | null)[] = [];
      await takeUntil(
        consumer,
        async (delivery) => {
          if (delivery.message.id !== id) {
            await delivery.giveBack();
            return false;
          }
          attempts.push(delivery.attempt);
          if (attempts.length === 1) throw new Error("not yet");
          return true;
        },
        { backoff: () => 0 },
      );
      await consumer.close();
      expect(attempts).toEqual([1, 2]);
      client.destroy();
    });
  });
}
