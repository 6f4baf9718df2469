import { randomUUID } from "node:crypto";
import { createPubsubConsumer, createPubsubPublisher } from "@sinkwire/google-pubsub";
import { UsageError } from "../io/exit.js";
import type { Address } from "./address.js";
import { CONNECT_MS, told } from "./connecting.js";
import { loadPeer } from "./peer.js";
import { take } from "./take.js";
import type { Tailed, TailOptions, Transport } from "./transport.js";

type Client = typeof import("@google-cloud/pubsub");
type Configuration = NonNullable<ConstructorParameters<Client["v1"]["SubscriberClient"]>[0]>;
type Subscriber = import("@google-cloud/pubsub").v1.SubscriberClient;

/** One call, without the client's own retries, which go on for minutes. */
const CALL = { timeout: CONNECT_MS, retry: null };

/** The service's code of a name that is not there. */
const NOT_FOUND = 5;

/** The shortest life that the service gives a subscription which nobody reads: a day. */
const EXPIRES = { ttl: { seconds: 86_400 } };

/** A topic, or a subscription, by its full name. */
type Place = { readonly topic: string } | { readonly subscription: string };

/**
 * Google Pub/Sub: `pubsub://project/topic`, or `pubsub://project/?subscription=name`, with the credentials and the
 * `PUBSUB_EMULATOR_HOST` of the environment.
 */
export const googlePubsub: Transport = {
  async publisher(address) {
    const place = placeOf(address);
    if ("subscription" in place) throw new UsageError(`${address.shown} names no topic: pubsub://project/topic`);
    const { client, v1 } = await load(address);
    const publishing = new v1.PublisherClient(client);
    const publisher = createPubsubPublisher({ client: publishing, topic: place.topic });
    return {
      publish: publisher.publish,
      async close() {
        await publisher.close();
        await publishing.close();
      },
    };
  },

  async *tail(address, options) {
    const place = placeOf(address);
    if (options.since !== null || !options.follow) {
      throw new UsageError("this command does not look back in Pub/Sub: neither --since nor --no-follow goes with it");
    }
    if ("subscription" in place && !options.take) {
      throw new UsageError("a subscription cannot be looked at: name its topic, or take its messages with --take");
    }
    const { client, v1 } = await load(address);
    const subscriber = new v1.SubscriberClient(client);
    try {
      if ("subscription" in place) yield* takeFrom(subscriber, place.subscription, address, options);
      else yield* look(subscriber, place.topic, address, options);
    } finally {
      await subscriber.close();
    }
  },

  async probe(address) {
    const place = address.path.length === 0 && address.query.size === 0 ? null : placeOf(address);
    const { client, v1 } = await load(address);
    const publishing = new v1.PublisherClient(client);
    const subscriber = new v1.SubscriberClient(client);
    const ask = async (): Promise<unknown> => {
      if (place === null) return publishing.listTopics({ project: `projects/${address.host}`, pageSize: 1 }, CALL);
      return "topic" in place ? publishing.getTopic(place, CALL) : subscriber.getSubscription(place, CALL);
    };
    try {
      const fault = await told(
        address,
        ask().then(
          () => null,
          (error: unknown) => {
            if ((error as { code?: unknown }).code === NOT_FOUND) return `there is no ${Object.values(place ?? {})[0]}`;
            throw error;
          },
        ),
      );
      const emulator = process.env["PUBSUB_EMULATOR_HOST"];
      return { server: emulator ? `Pub/Sub emulator at ${emulator}` : "Google Pub/Sub", clockMs: null, fault };
    } finally {
      await Promise.all([publishing.close(), subscriber.close()]);
    }
  },
};

/** Looks on by a subscription of its own, deleted at the end; one that is left behind expires after a day. */
async function* look(
  subscriber: Subscriber,
  topic: string,
  address: Address,
  options: TailOptions,
): AsyncGenerator<Tailed> {
  const subscription = `projects/${address.host}/subscriptions/sinkwire-tail-${randomUUID()}`;
  const own = { name: subscription, topic, expirationPolicy: EXPIRES, enableMessageOrdering: true };
  await told(address, subscriber.createSubscription(own, CALL));
  try {
    yield* takeFrom(subscriber, subscription, address, options);
  } finally {
    await told(address, subscriber.deleteSubscription({ subscription }, CALL));
  }
}

function takeFrom(
  client: Subscriber,
  subscription: string,
  address: Address,
  options: TailOptions,
): AsyncIterable<Tailed> {
  const consumer = createPubsubConsumer({ client, subscription, deadLetters: null });
  return take(address, consumer, address.path[0] ?? address.query.get("subscription") ?? "", options);
}

async function load(address: Address): Promise<{ readonly client: Configuration; readonly v1: Client["v1"] }> {
  const { PubSub, v1 } = await loadPeer<Client>("@google-cloud/pubsub");
  const client = await told(address, new PubSub({ projectId: address.host }).getClientConfig());
  return { client: client as Configuration, v1 }; // the client's own types differ in the port: a number, or its text
}

function placeOf({ host, path, query, shown }: Address): Place {
  const subscription = query.get("subscription");
  const [topic, more] = path;
  if (subscription && topic === undefined) return { subscription: `projects/${host}/subscriptions/${subscription}` };
  if (subscription !== null || !topic || more !== undefined) {
    throw new UsageError(`${shown} names no topic: pubsub://project/topic, or pubsub://project/?subscription=…`);
  }
  return { topic: `projects/${host}/topics/${topic}` };
}
