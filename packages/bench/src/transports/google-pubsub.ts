import { randomUUID } from "node:crypto";
import { type ClientConfig, PubSub, v1 } from "@google-cloud/pubsub";
import { createPubsubConsumer, createPubsubPublisher, toPubsub } from "@sinkwire/google-pubsub";
import type { RatedTransport, RateSide } from "./rate-side.js";
import { countTo, takeWithServe } from "./take.js";

/** Unsettled messages, on both sides. */
const PREFETCH = 100;

/** Google Pub/Sub, beside the client's own topics and subscriptions. */
export const googlePubsub: RatedTransport = {
  name: "google-pubsub",
  client: "@google-cloud/pubsub",
  share: 0.5,
  async open({ url }) {
    const open = async (): Promise<Opened> => {
      const pubsub = new PubSub({ projectId: "sinkwire", apiEndpoint: url });
      const lane = `lane-${randomUUID()}`;
      await pubsub.createTopic(lane);
      await pubsub.topic(lane).createSubscription(lane);
      return { pubsub, lane };
    };
    return { ours: await ours(await open()), bare: bare(await open()) };
  },
};

interface Opened {
  readonly pubsub: PubSub;
  readonly lane: string;
}

async function ours({ pubsub, lane }: Opened): Promise<RateSide> {
  const config = (await pubsub.getClientConfig()) as ClientConfig & { libName?: string };
  const client = new v1.PublisherClient(config as ConstructorParameters<typeof v1.PublisherClient>[0]);
  const subscriber = new v1.SubscriberClient(config as ConstructorParameters<typeof v1.SubscriberClient>[0]);
  const publisher = createPubsubPublisher({ client, topic: `projects/sinkwire/topics/${lane}` });
  const subscription = `projects/sinkwire/subscriptions/${lane}`;
  return {
    prepare(hook) {
      const { data, ...mapped } = toPubsub(hook);
      const message = { bytes: data, ...mapped };
      return () => publisher.publish(message);
    },
    consume: (count) =>
      takeWithServe(
        createPubsubConsumer({ client: subscriber, subscription, deadLetters: null, prefetch: PREFETCH }),
        count,
      ),
    async close() {
      await Promise.all([client.close(), subscriber.close(), pubsub.close()]);
    },
  };
}

function bare({ pubsub, lane }: Opened): RateSide {
  const topic = pubsub.topic(lane, { batching: { maxMilliseconds: 1 } });
  return {
    prepare(hook) {
      const { data, attributes } = toPubsub(hook);
      return () => topic.publishMessage({ data, attributes });
    },
    async consume(count, read) {
      const subscription = pubsub.subscription(lane, { flowControl: { maxMessages: PREFETCH } });
      const taken = countTo(count);
      subscription.on("message", (message) => {
        taken.arrived();
        read(message.data);
        message.ack();
        taken.settled();
      });
      const elapsedMs = await taken.done;
      await subscription.close();
      return elapsedMs;
    },
    close: () => pubsub.close(),
  };
}
