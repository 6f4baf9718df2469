import { PublishError, type Publisher } from "@sinkwire/delivery";
import {
  type PublisherLimits,
  publishable,
  publisherLimits,
  publishWithin,
  textOption,
} from "@sinkwire/delivery/adapter";
import { createBatches } from "./batches.js";
import type { PubsubPublisherClient } from "./client.js";
import { PUBSUB_LIMITS } from "./limits.js";
import { nameOption } from "./names.js";
import { publishErrorOf } from "./publish-error.js";
import { messageParts } from "./to.js";
import { createTurns } from "./turns.js";

/** How long the service may take to answer a request that nobody waits for any more: the client's own default, 60 s. */
const REQUEST_TIMEOUT_MS = 60_000;

/** How to publish to a topic. */
export interface PubsubPublisherOptions extends PublisherLimits {
  /** A `v1.PublisherClient`; it stays open. */
  readonly client: PubsubPublisherClient;
  /** The topic's full name, `projects/<project>/topics/<id>`. It has to exist; none is created. */
  readonly topic: string;
  /** Ordering key of a message without one of its own. Default none. */
  readonly orderingKey?: string | null | undefined;
}

/**
 * Publishes to a topic. A message is published when the service has given it an id.
 *
 * When a message with an ordering key fails, those of its key that were called before it failed fail as `not_published`, so
 * that it can be published again in front of them; later calls go on at once.
 *
 * @param options - client, topic, limits
 * @throws InvalidHookError for an option that cannot be used, before anything is sent
 */
export function createPubsubPublisher(options: PubsubPublisherOptions): Publisher {
  const { client } = options;
  const topic = nameOption(options.topic, "topic");
  const otherKey = textOption(options.orderingKey, "orderingKey");
  const { timeoutMs, inFlight, checkSize } = publisherLimits(options, PUBSUB_LIMITS.maxBytes);
  const turns = createTurns();
  const send = createBatches({
    ready: () => client.initialize(),
    async publish(messages) {
      const timeout = Math.max(timeoutMs, REQUEST_TIMEOUT_MS);
      const [answer] = await client.publish({ topic, messages }, { timeout, retry: null, isBundling: false });
      return answer.messageIds ?? [];
    },
  });

  return {
    async publish(given, { signal } = {}) {
      const { message, body } = publishable(given);
      const { key, attributes, overhead } = messageParts(message, message, otherKey);
      const bytes = body.length + overhead;
      checkSize(bytes);
      const turn = turns.take(key);
      const outgoing = {
        message: {
          data: body,
          attributes: Object.fromEntries(attributes),
          ...(key === "" ? {} : { orderingKey: key }),
        },
        ...{ key, bytes, failed: turn.fail },
      };
      const write = async (written: () => void) => {
        const start = (): void => {
          turn.check();
          written();
        };
        try {
          return { address: topic, id: await send({ ...outgoing, start }), duplicate: false };
        } catch (error) {
          throw error instanceof PublishError ? error : (publishErrorOf(error, topic) ?? error);
        }
      };
      try {
        return await publishWithin(write, { inFlight, bytes, timeoutMs, signal });
      } catch (error) {
        turn.fail(error);
        throw error;
      } finally {
        turn.leave();
      }
    },
    close: () => turns.idle(),
  };
}
