import { PublishError, type Publisher } from "@sinkwire/delivery";
import {
  addressOption,
  createInFlight,
  type InFlightLimits,
  integerOption,
  MAX_TIMER_MS,
  PUBLISH_TIMEOUT_MS,
  publishable,
  publishWithin,
  within,
} from "@sinkwire/delivery/adapter";
import { MessageTooLargeError } from "@sinkwire/message";
import { type Connection, connectionOf, type RedisClient } from "./client.js";
import { REDIS_LIMITS } from "./limits.js";
import { serverErrorWord } from "./server-error.js";
import { REDIS_FIELD } from "./to.js";

/** What publishers to streams and to channels have in common. */
export interface RedisPublisherLimits {
  /** Limit of the payload, in bytes. Default {@link REDIS_LIMITS}. */
  readonly maxBytes?: number | undefined;
  /** How long one publish may take, in milliseconds, from the call to the reply. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** How much may be unconfirmed. Default 256 messages and 16 MiB. */
  readonly inFlight?: InFlightLimits | undefined;
}

/** How to publish to a stream. */
export interface RedisStreamPublisherOptions extends RedisPublisherLimits {
  /** A client of ioredis or node-redis; it stays open. */
  readonly client: RedisClient;
  /** The stream's key. It has to exist; none is created. */
  readonly stream: string;
}

/** How to publish to a channel. */
export interface RedisChannelPublisherOptions extends RedisPublisherLimits {
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
    if (id === null) throw refused("publish_failed", `stream ${JSON.stringify(stream)}: it does not exist`);
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

function createPublisher(client: RedisClient, address: string, limits: RedisPublisherLimits, send: Send): Publisher {
  const connection = connectionOf(client);
  const maxBytes = integerOption(limits.maxBytes, "maxBytes", REDIS_LIMITS.maxBytes, 1);
  const timeoutMs = integerOption(limits.timeoutMs, "timeoutMs", PUBLISH_TIMEOUT_MS, 1, MAX_TIMER_MS);
  const inFlight = createInFlight(limits.inFlight);
  return {
    async publish(given, { signal } = {}) {
      const { body } = publishable(given);
      const bytes = body.length;
      if (bytes > maxBytes) {
        const cause = new MessageTooLargeError(bytes, maxBytes);
        throw refused("publish_rejected", cause.message, cause);
      }
      const write = async (written: () => void) => {
        if (connection.isClosed) throw new Error("the client is closed");
        written();
        try {
          return { address, id: await send(connection, body), duplicate: false };
        } catch (error) {
          if (serverErrorWord(error) === null) throw error;
          throw refused("publish_failed", `${JSON.stringify(address)}: refused by the server`, error);
        }
      };
      return publishWithin(write, { inFlight, bytes, timeoutMs, signal });
    },
    close: () => within(inFlight.idle(), timeoutMs),
  };
}

function refused(code: "publish_failed" | "publish_rejected", message: string, cause?: unknown): PublishError {
  return new PublishError(code, message, { outcome: "not_published", cause });
}
