import { randomUUID } from "node:crypto";
import { createRedisConsumer } from "@sinkwire/redis";
import { Redis } from "ioredis";
import { describeCommand } from "./command.js";
import { takeIds } from "./take-ids.js";

describeCommand({
  broker: "redis",
  server: /^Redis \d+\.\d+/,
  ...{ canLook: true, isOrdered: true, hasPort: true, hasClock: true, hasPast: true, hasIds: true },
  async open({ url }) {
    const client = new Redis(url);
    const stream = `hooks-${randomUUID()}`;
    await client.xgroup("CREATE", stream, "group", "$", "MKSTREAM");
    return {
      url: `${url}/${stream}`,
      missing: `${url}/missing`,
      take: (count) => takeIds(createRedisConsumer({ client, stream, group: "group", deadLetterStream: null }), count),
      write: (body) => client.xadd(stream, "*", "message", body),
      async close() {
        client.disconnect();
      },
    };
  },
});
