import { randomUUID } from "node:crypto";
import * as commands from "@aws-sdk/client-sqs";
import { attributesSet, type HeaderPair, type Message } from "@sinkwire/message";
import { createSqsConsumer, createSqsPublisher, SQS_LIMITS, toSqs } from "@sinkwire/sqs";
import type { Lane, Transport } from "../types.js";

/** How long a message is hidden from others, in milliseconds. */
const VISIBILITY_MS = 3_000;

/** Characters outside of XML 1.0. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NOT_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;

/** SQS, standard queues. */
export const sqs: Transport = sqsQueue("standard");

/** SQS, FIFO queues. A hook without an ordering key forms a group of its own here. */
export const sqsFifo: Transport = { ...sqsQueue("fifo"), isOneByOne: true };

function sqsQueue(kind: "standard" | "fifo"): Transport {
  const suffix = kind === "fifo" ? ".fifo" : "";
  return {
    name: "sqs",
    title: `SQS, ${kind} queues`,
    hasKeys: kind === "fifo",
    freesGivenUp: true,
    noBody: null,
    maxBytes: SQS_LIMITS.maxBytes,
    encode(hook, context, claim) {
      const { MessageBody, form, size, dropped, head } = toSqs(
        hook,
        kind === "fifo" ? { ordering_key: hook.id, ...context } : context,
        { queueUrl: `https://sqs.example/any${suffix}`, claim },
      );
      return { bytes: Buffer.from(MessageBody), form, size, dropped, head };
    },
    metadataOf: carried,
    open: ({ url }) => openLane(url, suffix),
  };
}

function carried(message: Message): readonly HeaderPair[] {
  return attributesSet(message, message)
    .filter(([, value]) => !NOT_XML.test(value))
    .slice(0, SQS_LIMITS.attributes);
}

/** A client of the SDK for a server without accounts. */
export function sqsClient(url: string): commands.SQSClient {
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  return new commands.SQSClient({ endpoint: url, region: "us-east-1", credentials });
}

/** Makes a queue with another one for dead letters. */
async function openLane(url: string, suffix: string): Promise<Lane> {
  const closers: (() => Promise<void>)[] = [];
  const join = (): commands.SQSClient => {
    const client = sqsClient(url);
    closers.unshift(async () => client.destroy());
    return client;
  };
  const own = join();
  const lane = `lane-${randomUUID()}`;
  const create = async (QueueName: string): Promise<string> => {
    const Attributes = suffix === "" ? {} : { FifoQueue: "true" };
    const { QueueUrl = "" } = await own.send(new commands.CreateQueueCommand({ QueueName, Attributes }));
    return QueueUrl;
  };
  const restore = async (): Promise<void> => {
    await create(`${lane}-dead${suffix}`);
    await create(`${lane}${suffix}`);
  };
  const deadLetterQueueUrl = await create(`${lane}-dead${suffix}`);
  const queueUrl = await create(`${lane}${suffix}`);
  return {
    address: queueUrl,
    restore,
    async publisher({ address = queueUrl, ...options } = {}) {
      return createSqsPublisher({ client: join(), commands, queueUrl: address, ...options });
    },
    async consumer() {
      const client = join();
      let isDead = false;
      const mortal: Parameters<typeof createSqsConsumer>[0]["client"] = {
        send: (command, options) =>
          isDead ? Promise.reject(new Error("its process ended")) : client.send(command, options),
      };
      const consumer = createSqsConsumer({
        ...{ client: mortal, commands, queueUrl, deadLetterQueueUrl },
        ...{ visibilityTimeoutMs: VISIBILITY_MS, waitMs: 1_000 },
      });
      closers.unshift(() => consumer.close());
      return {
        consumer,
        async kill() {
          isDead = true;
          client.destroy();
        },
      };
    },
    async write(body) {
      const ids = suffix === "" ? {} : { MessageGroupId: randomUUID(), MessageDeduplicationId: randomUUID() };
      const MessageBody = Buffer.from(body ?? []).toString();
      await own.send(new commands.SendMessageCommand({ QueueUrl: queueUrl, MessageBody, ...ids }));
    },
    async deadLetters() {
      const letters: Uint8Array[] = [];
      for (;;) {
        const asked = { QueueUrl: deadLetterQueueUrl, MaxNumberOfMessages: 10 };
        const { Messages } = await own.send(new commands.ReceiveMessageCommand(asked));
        if (Messages === undefined) return letters;
        letters.push(...Messages.map(({ Body }) => Buffer.from(Body ?? "")));
      }
    },
    async close() {
      for (const close of closers) await close();
    },
  };
}
