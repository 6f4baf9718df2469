import { createRedisPublisher, fromRedis } from "@sinkwire/redis";
import type { Redis } from "ioredis";
import { UsageError } from "../io/exit.js";
import { type Address, hostAndPort } from "./address.js";
import { CONNECT_MS, told, unreachable } from "./connecting.js";
import { loadPeer } from "./peer.js";
import type { Transport } from "./transport.js";

const DEFAULT_PORT = 6_379;

/** How long a closing connection may keep the command from ending, in milliseconds: all is settled by then. */
const DISCONNECT_MS = 100;

/** Entries that are asked for at once. */
const BATCH = 100;

type Entry = [id: Buffer, fields: Buffer[]];

/** Redis Streams: `redis://[user:password@]host[:port]/[database/]stream`. */
export const redis: Transport = {
  async publisher(address) {
    const stream = streamOf(address);
    const client = await connect(address);
    const publisher = createRedisPublisher({ client, stream });
    return {
      publish: publisher.publish,
      async close() {
        await publisher.close();
        client.disconnect();
      },
    };
  },

  async *tail(address, { since, follow, signal, ready }) {
    const stream = streamOf(address);
    const client = await connect(address);
    const stop = (): void => client.disconnect();
    signal.addEventListener("abort", stop, { once: true });
    try {
      // Without a group: nothing is taken, and nothing is pending afterwards.
      let last = since === null ? await told(address, lastIdOf(client, stream)) : idBefore(since);
      ready();
      while (!signal.aborted) {
        const asked = entriesAfter(client, stream, last, follow);
        const entries = await told(address, asked).catch((error: unknown) => {
          if (!signal.aborted) throw error;
          return [];
        });
        if (entries.length === 0) return;
        for (const entry of entries) {
          last = entry[0].toString();
          yield { read: fromRedis(entry), position: last };
        }
      }
    } finally {
      signal.removeEventListener("abort", stop);
      stop();
    }
  },

  async probe(address) {
    const stream = address.path.length === 0 ? null : streamOf(address);
    const client = await connect(address);
    try {
      const version = /^redis_version:(.*)$/m.exec(await client.info("server"))?.[1]?.trim();
      const [seconds, microseconds] = await client.time();
      const type = stream === null ? "stream" : await client.type(stream);
      const there = type === "none" ? "does not exist" : `is a ${type}`;
      return {
        server: `Redis ${version ?? "of an unknown version"}`,
        clockMs: Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000),
        fault: type === "stream" ? null : `${stream} ${there}`,
      };
    } catch (error) {
      throw unreachable(address, error);
    } finally {
      client.disconnect();
    }
  },
};

async function connect(address: Address): Promise<Redis> {
  const { Redis } = await loadPeer<typeof import("ioredis")>("ioredis");
  const database = address.path.length > 1 ? Number(address.path[0]) : 0;
  let isConnected = false;
  const client = new Redis({
    ...hostAndPort(address, DEFAULT_PORT),
    ...(address.username ? { username: address.username } : {}),
    ...(address.password === null ? {} : { password: address.password }),
    ...(address.scheme === "rediss" ? { tls: {} } : {}),
    db: database,
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    disconnectTimeout: DISCONNECT_MS,
    maxRetriesPerRequest: null,
    retryStrategy: (times) => (isConnected ? Math.min(times * 100, 2_000) : null),
  });
  let failure: unknown = null;
  client.on("error", (error) => {
    failure = error; // `connect` says only that the connection is closed
  });
  try {
    await client.connect();
    isConnected = true;
    return client;
  } catch (error) {
    client.disconnect();
    throw unreachable(address, failure ?? error);
  }
}

/**
 * The entries after an id, at most {@link BATCH}.
 *
 * @param wait - whether to wait for one; else there may be none
 */
async function entriesAfter(client: Redis, stream: string, id: string, wait: boolean): Promise<readonly Entry[]> {
  const block = wait ? (["BLOCK", 0] as const) : [];
  const reply = await client.callBuffer("XREAD", "COUNT", BATCH, ...block, "STREAMS", stream, id);
  if (!Array.isArray(reply)) return [];
  // A list of pairs in RESP 2; in RESP 3 a map, which the client gives as one flat list.
  const [first, second] = reply as readonly unknown[];
  return (Array.isArray(first) ? first[1] : second) as readonly Entry[];
}

/** The last id before a time. */
function idBefore(timeMs: number): string {
  return timeMs === 0 ? "0-0" : `${timeMs - 1}-18446744073709551615`;
}

/** The id of the newest entry; of none, when there is no entry or no stream. */
async function lastIdOf(client: Redis, stream: string): Promise<string> {
  const [newest] = await client.xrevrange(stream, "+", "-", "COUNT", 1);
  return newest?.[0] ?? "0-0";
}

function streamOf({ path, shown }: Address): string {
  const stream = path.at(-1);
  if (
    stream === undefined ||
    stream === "" ||
    path.length > 2 ||
    (path.length === 2 && !/^\d{1,5}$/.test(path[0] ?? ""))
  ) {
    throw new UsageError(`${shown} names no stream: redis://host/stream, or redis://host/2/stream in another database`);
  }
  return stream;
}
