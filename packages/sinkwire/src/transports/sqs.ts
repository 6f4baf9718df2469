import { createSqsConsumer, createSqsPublisher } from "@sinkwire/sqs";
import { UsageError } from "../io/exit.js";
import type { Address } from "./address.js";
import { CONNECT_MS, told } from "./connecting.js";
import { loadPeer } from "./peer.js";
import { take } from "./take.js";
import type { Transport } from "./transport.js";

type SQSClient = import("@aws-sdk/client-sqs").SQSClient;
type Client = typeof import("@aws-sdk/client-sqs");

/** The region in a queue's URL, as AWS writes it. */
const REGION = /^sqs\.([a-z0-9-]+)\.amazonaws\.com/;

/** What the service, and stand-ins for it, call a queue that is not there. */
const MISSING = /NonExistentQueue|QueueDoesNotExist/;

/** SQS: the queue's URL. Credentials are the environment's; so is the region where the URL does not say it. */
export const sqs: Transport = {
  async publisher(address) {
    checkQueue(address);
    const { client, commands } = await open(address);
    const queueUrl = await queueOf(address, client, commands);
    const publisher = createSqsPublisher({ client, commands, queueUrl });
    return {
      publish: publisher.publish,
      async close() {
        await publisher.close();
        client.destroy();
      },
    };
  },

  async *tail(address, options) {
    checkQueue(address);
    if (options.since !== null || !options.follow) {
      throw new UsageError("SQS keeps nothing to look back at: neither --since nor --no-follow goes with it");
    }
    if (!options.take) throw new UsageError("a queue of SQS cannot be looked at: take its messages with --take");
    const { client, commands } = await open(address);
    try {
      const queueUrl = await queueOf(address, client, commands);
      // It asks for a place for what is rejected, and nothing is.
      const consumer = createSqsConsumer({ client, commands, queueUrl, deadLetterQueueUrl: queueUrl });
      yield* take(address, consumer, address.path.at(-1) ?? "", options);
    } finally {
      client.destroy();
    }
  },

  async probe(address) {
    const { client, commands } = await open(address);
    const limit = { abortSignal: AbortSignal.timeout(CONNECT_MS) };
    try {
      if (address.path.length === 0) {
        await told(address, client.send(new commands.ListQueuesCommand({ MaxResults: 1 }), limit));
        return { server: "SQS", clockMs: null, fault: null };
      }
      checkQueue(address);
      const QueueUrl = await queueOf(address, client, commands);
      const ask = new commands.GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["QueueArn"] });
      const asked = client.send(ask, limit).then(
        () => null,
        (error: unknown) => {
          if (!MISSING.test((error as Error).name)) throw error;
          return `there is no queue ${address.path.at(-1)}`;
        },
      );
      return { server: "SQS", clockMs: null, fault: await told(address, asked) };
    } finally {
      client.destroy();
    }
  },
};

async function open({ scheme, host }: Address) {
  const commands = await loadPeer<Client>("@aws-sdk/client-sqs");
  const region = REGION.exec(host)?.[1] ?? process.env["AWS_REGION"] ?? "us-east-1";
  return { client: new commands.SQSClient({ endpoint: `${scheme}://${host}`, region }), commands };
}

function checkQueue({ path, shown, username }: Address): void {
  if (path.length !== 2 || username !== null) {
    throw new UsageError(`${shown} is no URL of a queue: https://sqs.<region>.amazonaws.com/<account>/<queue>`);
  }
}

/** The queue's URL. Stand-ins for SQS know a queue by a host name of their own, and are asked. */
async function queueOf({ scheme, host, path }: Address, client: SQSClient, commands: Client): Promise<string> {
  const given = `${scheme}://${host}/${path.map(encodeURIComponent).join("/")}`;
  if (REGION.test(host)) return given;
  const ask = new commands.GetQueueUrlCommand({ QueueName: path.at(-1) });
  try {
    return (await client.send(ask, { abortSignal: AbortSignal.timeout(CONNECT_MS) })).QueueUrl ?? given;
  } catch {
    return given; // what uses it says what is wrong
  }
}
