import { randomUUID } from "node:crypto";
import { createRedisConsumer, createRedisPublisher, toRedis } from "@sinkwire/redis";
import { Redis } from "ioredis";
import type { RatedTransport, RateSide } from "./rate-side.js";
import { countTo, takeWithServe } from "./take.js";

/** Entries read at once, on both sides. */
const PREFETCH = 100;

/** Redis Streams. */
export const redis: RatedTransport = {
  name: "redis",
  client: "ioredis",
  share: 1,
  async open({ url }) {
    const open = async (): Promise<Opened> => {
      const client = new Redis(url);
      const stream = `lane-${randomUUID()}`;
      await client.xgroup("CREATE", stream, "group", "0", "MKSTREAM");
      return { client, stream };
    };
    return { ours: ours(await open()), bare: bare(await open()) };
  },
};

interface Opened {
  readonly client: Redis;
  readonly stream: string;
}

function ours({ client, stream }: Opened): RateSide {
  const publisher = createRedisPublisher({ client, stream });
  return {
    prepare(hook) {
      const { payload, ...mapped } = toRedis(hook);
      const message = { bytes: payload, ...mapped };
      return () => publisher.publish(message);
    },
    consume: (count) =>
      takeWithServe(
        createRedisConsumer({ client, stream, group: "group", deadLetterStream: null, prefetch: PREFETCH }),
        count,
      ),
    close: async () => client.disconnect(),
  };
}

function bare({ client, stream }: Opened): RateSide {
  return {
    prepare(hook) {
      const { payload } = toRedis(hook);
      return () => client.xadd(stream, "NOMKSTREAM", "*", "message", Buffer.from(payload));
    },
    async consume(count, read) {
      const reader = client.duplicate();
      const taken = countTo(count);
      for (let received = 0; received < count; ) {
        const [, entries = []] = ((await reader.callBuffer(
          ...["XREADGROUP", "GROUP", "group", "one", "COUNT", String(PREFETCH), "BLOCK", "1000"],
          ...["STREAMS", stream, ">"],
        )) ?? []) as [Buffer?, [Buffer, Buffer[]][]?];
        for (const [id, [, body]] of entries) {
          received++;
          taken.arrived();
          if (body !== undefined) read(body);
          void client.xack(stream, "group", id).then(taken.settled);
        }
      }
      const elapsedMs = await taken.done;
      reader.disconnect();
      return elapsedMs;
    },
    close: async () => client.disconnect(),
  };
}
