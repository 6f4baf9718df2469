import { randomUUID } from "node:crypto";
import { createRedisConsumer, createRedisPublisher, REDIS_LIMITS, toRedis } from "@sinkwire/redis";
import { Redis } from "ioredis";
import { createClient } from "redis";
import type { Lane, Transport } from "../types.js";

/** How long an entry is left to a consumer that gives no sign, in milliseconds. */
const CLAIM_IDLE_MS = 3_000;

type Client = Parameters<typeof createRedisPublisher>[0]["client"];

/** A client of one of the libraries, and how to close it. */
interface Opened {
  readonly client: Client;
  readonly close: () => void;
}

const LIBRARIES = {
  ioredis: (url: string): Opened => {
    const client = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 100 });
    client.on("error", () => {});
    return { client, close: () => client.disconnect() };
  },
  "node-redis": async (url: string): Promise<Opened> => {
    const client = createClient({ url, socket: { reconnectStrategy: 100 } });
    client.on("error", () => {});
    await client.connect();
    return {
      client,
      close: () => {
        if (client.isOpen) client.destroy();
      },
    };
  },
};

/** Redis Streams, over a client. */
export const redisOver = (title: keyof typeof LIBRARIES): Transport => ({
  name: "redis",
  title: `Redis Streams over ${title}`,
  hasKeys: false,
  noBody: "invalid",
  maxBytes: REDIS_LIMITS.maxBytes,
  encode(hook, context, claim) {
    const { payload, ...mapped } = toRedis(hook, context, { claim });
    return { bytes: payload, ...mapped };
  },
  metadataOf: () => [],
  open: ({ url }) => openLane(url, title),
});

async function openLane(url: string, title: keyof typeof LIBRARIES): Promise<Lane> {
  const opened: Opened[] = [];
  const join = async (): Promise<Opened> => {
    const one = await LIBRARIES[title](url);
    opened.push(one);
    return one;
  };
  const own = LIBRARIES.ioredis(url);
  const redis = own.client as Redis;
  opened.push(own);
  const stream = `lane-${randomUUID()}`;
  await redis.xgroup("CREATE", stream, "group", "0", "MKSTREAM");
  return {
    address: stream,
    async publisher({ address = stream, ...options } = {}) {
      return createRedisPublisher({ client: (await join()).client, stream: address, ...options });
    },
    async consumer() {
      const { client, close } = await join();
      return {
        consumer: createRedisConsumer({
          client,
          stream,
          group: "group",
          deadLetterStream: `${stream}:dead`,
          claimIdleMs: CLAIM_IDLE_MS,
          claimEveryMs: 200,
        }),
        kill: async () => close(),
      };
    },
    async write(body) {
      if (body === null) await redis.xadd(stream, "*", "other", "field");
      else await redis.xadd(stream, "*", "message", Buffer.from(body));
    },
    async deadLetters() {
      const entries = await redis.xrangeBuffer(`${stream}:dead`, "-", "+");
      return entries.map(([, fields]) => {
        const at = fields.findIndex((field) => String(field) === "message");
        return at === -1 ? Buffer.alloc(0) : (fields[at + 1] as Buffer);
      });
    },
    async close() {
      for (const { close } of opened) close();
    },
  };
}
