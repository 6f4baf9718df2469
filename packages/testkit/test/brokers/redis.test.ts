import { Redis } from "ioredis";
import { describeLife } from "./life.js";

async function using<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
  redis.on("error", () => {});
  try {
    await redis.connect();
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

describeLife("redis", {
  version: /^Redis \d+\.\d+/,
  talk: {
    write: (url, text) =>
      using(url, async (redis) => {
        await redis.xadd("life", "*", "text", text);
      }),
    read: (url) =>
      using(url, async (redis) => {
        const [entry] = await redis.xrange("life", "-", "+", "COUNT", 1);
        if (entry === undefined) throw new Error("no entry");
        const [id, [, text = ""]] = entry;
        await redis.xdel("life", id);
        return text;
      }),
  },
});
