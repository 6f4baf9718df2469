import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Consumer, deadLetterOf, type ReadOptions } from "@sinkwire/delivery";
import {
  addressOption,
  checkReadOptions,
  createHolds,
  createIterations,
  type Iteration,
  integerOption,
  keepLease,
  MAX_TIMER_MS,
  STOP_LIMIT_MS,
  textOption,
  within,
} from "@sinkwire/delivery/adapter";
import { type Connection, connectionOf, type RedisClient } from "./client.js";
import { type Entry, entriesOfClaim, entriesOfRead, entryPairs } from "./entries.js";
import { fromRedis } from "./from.js";
import { pendingEntries } from "./pending.js";
import { serverErrorWord } from "./server-error.js";
import { REDIS_FIELD } from "./to.js";

/** Entries that wait to be handled by default. */
const DEFAULT_PREFETCH = 100;

/** How long an entry may be pending without a sign of its consumer by default, in milliseconds. */
const DEFAULT_CLAIM_IDLE_MS = 60_000;

/** How often entries that were left pending are looked for by default, in milliseconds. */
const DEFAULT_CLAIM_EVERY_MS = 1_000;

/** Pause before the server is asked again after an error, in milliseconds. */
const PAUSE_MS = 250;

/** What the server says when asking again cannot help. */
const FATAL: readonly unknown[] = ["NOGROUP", "WRONGTYPE", "NOPERM", "NOAUTH"];

/** How to consume from a stream. */
export interface RedisConsumerOptions extends ReadOptions {
  /** A client of ioredis or node-redis; it stays open. One more connection is opened, to wait for entries. */
  readonly client: RedisClient;
  /** The stream's key. */
  readonly stream: string;
  /** The consumer group. It has to exist: `XGROUP CREATE <stream> <group> 0 MKSTREAM`. */
  readonly group: string;
  /** Where rejected entries go: another stream, made with the first of them. Null: they are dropped. */
  readonly deadLetterStream: string | null;
  /** Most entries that wait to be handled. Default 100. */
  readonly prefetch?: number | undefined;
  /**
   * An entry is taken over from a consumer that gave no sign of it for so long, in milliseconds: the same for all of a
   * group. A longer retry is held in its slot. Default 60,000.
   */
  readonly claimIdleMs?: number | undefined;
  /** How often entries that are due again are looked for, in milliseconds. Default 1,000. */
  readonly claimEveryMs?: number | undefined;
}

/**
 * Consumes from a stream as one member of a consumer group.
 *
 * An entry stays pending until it is acknowledged. A retry leaves it pending, with an idle time that makes it due when its
 * delay is over; entries of a consumer that died are due after `claimIdleMs`. Whoever looks first takes them.
 *
 * @param options - client, stream and group, dead letters, times, and how to read
 * @throws InvalidHookError for an option that cannot be used. The iteration throws when stream or group do not exist, or the
 *   client is closed for good
 */
export function createRedisConsumer(options: RedisConsumerOptions): Consumer {
  const connection = connectionOf(options.client);
  const stream = addressOption(options.stream, "stream");
  const group = addressOption(options.group, "group");
  const deadLetterStream = textOption(options.deadLetterStream, "deadLetterStream");
  checkReadOptions(options);
  const prefetch = integerOption(options.prefetch, "prefetch", DEFAULT_PREFETCH, 1);
  const claimIdleMs = integerOption(options.claimIdleMs, "claimIdleMs", DEFAULT_CLAIM_IDLE_MS, 1, MAX_TIMER_MS);
  const claimEveryMs = integerOption(options.claimEveryMs, "claimEveryMs", DEFAULT_CLAIM_EVERY_MS, 1, MAX_TIMER_MS);
  const name = `sinkwire-${randomUUID()}`;
  const pending = pendingEntries(connection, { stream, group, name });
  const holds = createHolds();
  /** What was handed out and is not settled, by its id, and how to take it back. */
  const opened = new Map<string, (reason: unknown) => void>();
  const iterations = createIterations();

  const receive = ({ queue, ended }: Iteration, entry: Entry, attempt: number): void => {
    const id = String(entry[0]);
    const controller = new AbortController();
    const { signal } = controller;
    const extend = async (): Promise<void> => {
      if (!(await pending.setIdle(id, 0))) throw new Error("the entry is not pending with this consumer any more");
    };
    const stopLease = keepLease(extend, { leaseMs: claimIdleMs, lost: (error) => controller.abort(error) });
    const read = fromRedis(entry, options);
    const origin = { key: null, attempt, address: stream, pairs: entryPairs(entry), signal };
    opened.set(id, (reason) => {
      stopLease();
      controller.abort(reason);
    });
    queue.push(read, origin, {
      ack: () => pending.ack(id),
      async retry(afterMs) {
        const heldMs = Math.max(afterMs - claimIdleMs, 0);
        if (heldMs > 0) await holds.hold(heldMs, { signal: AbortSignal.any([signal, ended]) });
        stopLease();
        if (signal.aborted) return;
        const leftMs = heldMs > 0 && ended.aborted ? 0 : afterMs - heldMs;
        await pending.setIdle(id, Math.floor(claimIdleMs - leftMs));
      },
      async reject(reason, details) {
        if (deadLetterStream !== null) {
          const { bytes, pairs } = deadLetterOf({ ...read, ...origin }, reason, details);
          const fields = pairs.flatMap(([field, value]) => [field, Buffer.from(value)]);
          const message = bytes === null || bytes.length === 0 ? [] : [REDIS_FIELD, Buffer.from(bytes)];
          await connection.call("XADD", deadLetterStream, "*", ...message, ...fields);
        }
        await pending.ack(id);
      },
      async giveBack() {
        stopLease();
        await pending.setIdle(id, claimIdleMs, attempt - 1);
      },
      settled() {
        stopLease();
        opened.delete(id);
      },
    });
  };

  /** Takes over what is due, until there is no more of it or no room. */
  const claim = async (iteration: Iteration): Promise<void> => {
    const { queue, ended } = iteration;
    let cursor = "0-0";
    do {
      const room = prefetch - queue.size;
      const reply = await connection.call("XAUTOCLAIM", stream, group, name, claimIdleMs, cursor, "COUNT", room);
      const claimed = entriesOfClaim(reply);
      cursor = claimed.cursor;
      for (const entry of claimed.entries) {
        const attempt = opened.has(String(entry[0])) ? null : await pending.attempt(String(entry[0]));
        if (attempt !== null) receive(iteration, entry, attempt);
      }
    } while (cursor !== "0-0" && queue.size < prefetch && !ended.aborted);
  };

  const read = async (reader: Connection, iteration: Iteration): Promise<void> => {
    const { queue, ended } = iteration;
    let claimAt = 0;
    while (!ended.aborted) {
      // Not for every place that is free: each read is a round trip.
      await queue.below(Math.ceil(prefetch / 2));
      if (ended.aborted) return;
      if (performance.now() >= claimAt) {
        await claim(iteration);
        claimAt = performance.now() + claimEveryMs;
        continue;
      }
      const range = ["COUNT", prefetch - queue.size, "BLOCK", claimEveryMs, "STREAMS", stream, ">"] as const;
      const reply = await reader.call("XREADGROUP", "GROUP", group, name, ...range);
      for (const entry of entriesOfRead(reply)) receive(iteration, entry, 1);
    }
  };

  const run = async (iteration: Iteration): Promise<void> => {
    const { queue, ended } = iteration;
    let reader: Connection | null = null;
    // What the server hands out to a read that waits is given back; a server that does not answer is not waited for.
    let giveUp: NodeJS.Timeout | undefined;
    const giveUpSoon = (): void => {
      giveUp = setTimeout(() => reader?.close(), claimEveryMs + PAUSE_MS);
    };
    ended.addEventListener("abort", giveUpSoon, { once: true });
    while (!ended.aborted) {
      try {
        reader ??= await connection.open();
        await read(reader, iteration);
      } catch (error) {
        if (connection.isClosed || FATAL.includes(serverErrorWord(error))) {
          queue.end(new Error(`stream "${stream}", group "${group}": ${String(error)}`, { cause: error }));
        }
        await sleep(PAUSE_MS, undefined, { signal: ended }).catch(() => {});
      }
    }
    clearTimeout(giveUp);
    reader?.close();
  };

  /** The name is used once only. It stays while anything is pending with it, which would be lost. */
  const removeName = async (): Promise<void> => {
    const left = await connection.call("XPENDING", stream, group, "-", "+", 1, name);
    if (Array.isArray(left) && left.length === 0) await connection.call("XGROUP", "DELCONSUMER", stream, group, name);
  };

  /** Leaves to others what is not settled. */
  const release = async (): Promise<void> => {
    for (const id of opened.keys()) await pending.setIdle(id, claimIdleMs);
    await removeName();
  };

  return {
    deliveries: (options) => iterations.start(options, run),
    async close() {
      // The read that waits ends within its time.
      await within(iterations.stop(), claimEveryMs + PAUSE_MS + STOP_LIMIT_MS);
      for (const takeBack of opened.values()) takeBack(new Error("the consumer was closed"));
      if (!connection.isClosed) await within(release(), STOP_LIMIT_MS);
      opened.clear();
    },
  };
}
