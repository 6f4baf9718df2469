import { randomUUID } from "node:crypto";
import { createServer, type Socket, connect as toServer } from "node:net";
import { PubSub, v1 } from "@google-cloud/pubsub";
import { createPubsubConsumer, createPubsubPublisher, PUBSUB_LIMITS, toPubsub } from "@sinkwire/google-pubsub";
import { attributesSet } from "@sinkwire/message";
import type { Lane, Transport } from "../types.js";

/** The least that the service takes, in milliseconds. */
export const ACK_DEADLINE_MS = 10_000;

const PROJECT = "projects/sinkwire";

/** Google Pub/Sub. */
export const googlePubsub: Transport = {
  name: "google-pubsub",
  title: "Google Pub/Sub",
  hasKeys: true,
  noBody: "invalid",
  maxBytes: PUBSUB_LIMITS.maxBytes,
  encode(hook, context, claim) {
    const { data: bytes, ...mapped } = toPubsub(hook, context, { claim });
    return { bytes, ...mapped };
  },
  metadataOf: (message) => attributesSet(message, message),
  open: ({ url }) => openLane(url),
};

/** Makes a topic with a subscription that keeps order, and another one for dead letters. */
async function openLane(url: string): Promise<Lane> {
  const closers: (() => Promise<void>)[] = [];
  const publisherClient = async (): Promise<v1.PublisherClient> => {
    const client = new v1.PublisherClient(await configOf(url));
    closers.push(() => client.close());
    return client;
  };
  const subscriberClient = async (at: string): Promise<v1.SubscriberClient> => {
    const client = new v1.SubscriberClient(await configOf(at));
    closers.push(() => client.close());
    return client;
  };
  const own = await publisherClient();
  const subscriber = await subscriberClient(url);
  const lane = `lane-${randomUUID()}`;
  const [topic, subscription] = [`${PROJECT}/topics/${lane}`, `${PROJECT}/subscriptions/${lane}`];
  const deadTopic = `${topic}-dead`;
  const restore = async (): Promise<void> => {
    for (const [name, subscribed] of [
      [topic, subscription],
      [deadTopic, `${subscription}-dead`],
    ] as const) {
      await own.createTopic({ name });
      await subscriber.createSubscription({
        ...{ name: subscribed, topic: name },
        ackDeadlineSeconds: ACK_DEADLINE_MS / 1_000,
        enableMessageOrdering: true,
      });
    }
  };
  await restore();
  return {
    address: topic,
    restore,
    async publisher({ address, ...options } = {}) {
      return createPubsubPublisher({
        client: await publisherClient(),
        topic: address === undefined ? topic : `${PROJECT}/topics/${address}`,
        ...options,
      });
    },
    async consumer() {
      const line = await openLine(url);
      closers.push(line.cut);
      const consumer = createPubsubConsumer({
        client: await subscriberClient(line.url),
        subscription,
        deadLetters: { client: own, topic: deadTopic },
        ackDeadlineMs: ACK_DEADLINE_MS,
      });
      return { consumer, kill: line.cut };
    },
    async write(body) {
      await own.publish({ topic, messages: [{ data: body, attributes: { from: "elsewhere" } }] });
    },
    async deadLetters() {
      const [{ receivedMessages }] = await subscriber.pull({ subscription: `${subscription}-dead`, maxMessages: 100 });
      return (receivedMessages ?? []).map(({ message }) => message?.data as Uint8Array);
    },
    async close() {
      for (const close of closers) await close();
    },
  };
}

/** The client's own types do not fit together under `exactOptionalPropertyTypes`. */
type ClientOptions = NonNullable<ConstructorParameters<typeof v1.PublisherClient>[0]>;

/** What the client's own constructors take to reach a server. */
export async function configOf(url: string): Promise<ClientOptions> {
  const pubsub = new PubSub({ projectId: "sinkwire", apiEndpoint: url });
  return (await pubsub.getClientConfig()) as ClientOptions;
}

/** A way to a server that can be cut: a client that is closed lets its streams go on. */
async function openLine(url: string): Promise<{ readonly url: string; readonly cut: () => Promise<void> }> {
  const { hostname, port } = new URL(`tcp://${url}`);
  const ends = new Set<Socket>();
  const server = createServer((near) => {
    const far = toServer(Number(port), hostname);
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(end);
      end.on("error", () => {});
      end.on("close", () => {
        ends.delete(end);
        other.destroy();
      });
      end.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the line has no port");
  return {
    url: `127.0.0.1:${address.port}`,
    async cut() {
      server.close();
      for (const end of ends) end.destroy();
    },
  };
}
