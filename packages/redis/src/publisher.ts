import { PublishError, type Publisher } from "@sinkwire/delivery";
import {
  addressOption,
  integerOption,
  type PublisherLimits,
  publishable,
  publisherLimits,
  publishWithin,
  within,
} from "@sinkwire/delivery/adapter";
import { type Connection, connectionOf, type RedisClient } from "./client.js";
import { REDIS_LIMITS } from "./limits.js";
import { serverErrorWord } from "./server-error.js";
import { REDIS_FIELD } from "./to.js";

/** How to publish to a stream. */
export interface RedisStreamPublisherOptions extends PublisherLimits {
  /** A client of ioredis or node-redis; it stays open. */
  readonly client: RedisClient;
  /** The stream's key. It has to exist; none is created. */
  readonly stream: string;
}

/** How to publish to a channel. */
export interface RedisChannelPublisherOptions extends PublisherLimits {
  /** A client of ioredis or node-redis; it stays open. */
  readonly client: RedisClient;
  readonly channel: string;
  /** Fewer receivers than this are a failure. Default 1. */
  readonly minSubscribers?: number | undefined;
}

/** Sends one payload, and tells the broker's id of it. */
type Send = (connection: Connection, body: Buffer) => Promise<string>;

/**
 * Publishes to a stream (`XADD`). A message is published when the server has given its entry an id.
 *
 * @param options - client, stream, limits
 * @throws InvalidHookError for an option that cannot be used
 */
export function createRedisPublisher(options: RedisStreamPublisherOptions): Publisher {
  const stream = addressOption(options.stream, "stream");
  return createPublisher(options.client, stream, options, async (connection, body) => {
    const id = await connection.call("XADD", stream, "NOMKSTREAM", "*", REDIS_FIELD, body);
    if (id === null) throw refused(`stream ${JSON.stringify(stream)}: it does not exist`);
    return String(id);
  });
}

/**
 * Publishes to a channel (`PUBLISH`), which keeps nothing: a message is published when enough receivers were there. Its
 * receipt's `id` is empty.
 *
 * @param options - client, channel, limits
 * @throws InvalidHookError for an option that cannot be used
 */
export function createRedisChannelPublisher(options: RedisChannelPublisherOptions): Publisher {
  const channel = addressOption(options.channel, "channel");
  const minSubscribers = integerOption(options.minSubscribers, "minSubscribers", 1, 0);
  return createPublisher(options.client, channel, options, async (connection, body) => {
    const receivers = Number(await connection.call("PUBLISH", channel, body));
    if (receivers >= minSubscribers) return "";
    const what = `channel ${JSON.stringify(channel)} had ${receivers} receivers of at least ${minSubscribers}`;
    throw new PublishError("no_subscribers", what, { outcome: receivers === 0 ? "not_published" : "unknown" });
  });
}

function createPublisher(client: RedisClient, address: string, limits: PublisherLimits, send: Send): Publisher {
  const connection = connectionOf(client);
  const { timeoutMs, inFlight, checkSize } = publisherLimits(limits, REDIS_LIMITS.maxBytes);
  return {
    async publish(given, { signal } = {}) {
      const { body } = publishable(given);
      const bytes = body.length;
      checkSize(bytes);
      const write = async (written: () => void) => {
        if (connection.isClosed) throw new Error("the client is closed");
        written();
        try {
          return { address, id: await send(connection, body), duplicate: false };
        } catch (error) {
          if (serverErrorWord(error) === null) throw error;
          throw refused(`${JSON.stringify(address)}: refused by the server`, error);
        }
      };
      return publishWithin(write, { inFlight, bytes, timeoutMs, signal });
    },
    close: () => within(inFlight.idle(), timeoutMs),
  };
}

function refused(message: string, cause?: unknown): PublishError {
  return new PublishError("publish_failed", message, { outcome: "not_published", cause });
}
