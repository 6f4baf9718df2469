import {
  appendMessages,
  INBOX_SCHEMA,
  type InboxMessage,
  openStream,
  PermanentError,
  RetryAfter,
  runWorker,
  type Stream,
  type WorkerOptions,
} from "@sinkwire/inbox";
import { migrate } from "@sinkwire/postgres";
import { Pool } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Broker, startBroker, waitUntil } from "../../src/brokers/index.js";

const WAIT = { limitMs: 30_000 };
const schema = "worker";

describe("workers on a server", () => {
  let broker: Broker;
  let pool: Pool;
  let stream: Stream;
  let stop: AbortController;
  let working: Promise<void>[];
  let errors: unknown[];
  beforeAll(async () => {
    broker = await startBroker("postgres", { own: true });
    pool = new Pool({ connectionString: broker.url, max: 20 });
    pool.on("error", () => {});
    await migrate(pool, INBOX_SCHEMA, { schema });
  });
  afterAll(async () => {
    await pool?.end();
    await broker?.stop();
  });
  let streams = 0;
  beforeEach(async () => {
    stream = await openStream(pool, `stream ${streams++}`, { schema });
    stop = new AbortController();
    working = [];
    errors = [];
  });
  afterEach(async () => {
    stop.abort();
    await Promise.all(working);
  });

  const work = (handler: (message: InboxMessage) => unknown, options: Partial<WorkerOptions> = {}): void => {
    const onError = (error: unknown): unknown => errors.push(error);
    const rules = { firstRetryMs: 20, retryBaseMs: 20, pollMs: 50, onError };
    working.push(runWorker(pool, stream, handler, { schema, group: "g", signal: stop.signal, ...rules, ...options }));
  };
  const append = (count: number, key: (index: number) => string | null = () => "k"): Promise<bigint[]> =>
    appendMessages(
      pool,
      stream,
      Array.from({ length: count }, (_, index) => ({ key: key(index), payload: Buffer.from(String(index)) })),
      { schema },
    );
  const queue = (): string => `worker.exception_queue_${stream.id}`;
  const textOf = ({ payload }: InboxMessage): string => Buffer.from(payload).toString();
  const unresolved = async (): Promise<number> => {
    const { rows } = await pool.query(
      `SELECT (SELECT count(*) FROM ${queue()} WHERE unresolved) + (SELECT count(*) FROM worker.range_lease) AS count`,
    );
    return Number(rows[0]?.count);
  };

  it("share a group, and keep each key's order through failures", async () => {
    const seen = new Map<string, number[]>();
    const failed = new Set<string>();
    const handler = async (message: InboxMessage): Promise<void> => {
      const text = textOf(message);
      if (Number(text) % 7 === 0 && !failed.has(text)) {
        failed.add(text);
        throw new Error("once");
      }
      const list = seen.get(message.key as string) ?? [];
      seen.set(message.key as string, [...list, Number(text)]);
    };
    const ids = await append(300, (index) => `k${index % 10}`);
    expect(ids).toHaveLength(300);
    work(handler, { defaultPolicy: "ordered", batchSize: 20 });
    work(handler, { defaultPolicy: "ordered", batchSize: 20 });
    await waitUntil(() => expect([...seen.values()].flat()).toHaveLength(300), WAIT);
    for (const list of seen.values()) expect(list).toEqual([...list].sort((a, b) => a - b));
    await waitUntil(async () => expect(await unresolved()).toBe(0), WAIT);
    expect(errors).toEqual([]);
  });

  it("a delay is no resolution, a permanent error is one", async () => {
    const seen: string[] = [];
    work(
      (message) => {
        seen.push(`${textOf(message)}:${message.attempt}`);
        if (textOf(message) === "0" && message.attempt === 0) throw new RetryAfter(30);
        if (textOf(message) === "1") throw new PermanentError("never");
      },
      { policyOverride: "ordered" },
    );
    await append(3);
    await waitUntil(() => expect(seen).toEqual(["0:0", "0:1", "1:0", "2:0"]), WAIT);
  });

  it("a handler that never returns is a failure, and its key stays its own until it returns", async () => {
    const seen: string[] = [];
    let release = (): void => {};
    const hung = new Promise<void>((resolve) => {
      release = resolve;
    });
    work(
      async (message) => {
        seen.push(`${textOf(message)}:${message.attempt}`);
        if (seen.length === 1) await hung;
      },
      { policyOverride: "ordered", timeoutMs: 20, timeoutGraceMs: 20 },
    );
    await append(2);
    await waitUntil(async () => {
      const { rows } = await pool.query(`SELECT status, attempts FROM ${queue()} ORDER BY message_id`);
      expect(rows).toEqual([
        { status: "ready", attempts: 1 },
        { status: "deferred", attempts: 0 },
      ]);
    }, WAIT);
    expect(seen).toEqual(["0:0"]);
    release();
    await waitUntil(() => expect(seen).toEqual(["0:0", "0:1", "1:0"]), WAIT);
  });

  it("keeps its key while guarded, and is refused when the key is another's", async () => {
    const outcomes: string[] = [];
    work(
      async (message) => {
        const client = await pool.connect();
        try {
          await client.query("BEGIN");
          await message.guard(client);
          if (message.attempt === 0) {
            await pool.query(
              "UPDATE worker.message_key_lease SET token = gen_random_uuid(), expires = clock_timestamp() WHERE message_key = 'k'",
            );
            await message.guard(client);
          }
          outcomes.push("kept");
        } catch (error) {
          outcomes.push((error as { code: string }).code);
          throw error;
        } finally {
          await client.query("ROLLBACK");
          client.release();
        }
      },
      { policyOverride: "exclusive" },
    );
    await append(1);
    await waitUntil(() => expect(outcomes).toEqual(["lease_lost", "kept"]), WAIT);
  });

  it("leaves what has not started to others when it stops, with nothing spent", async () => {
    const first: string[] = [];
    const second: string[] = [];
    const own = new AbortController();
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const stopped = runWorker(
      pool,
      stream,
      async (message) => {
        first.push(textOf(message));
        await held;
      },
      { schema, group: "g", policyOverride: "ordered", signal: own.signal, pollMs: 50 },
    );
    await append(3);
    await waitUntil(() => expect(first).toEqual(["0"]), WAIT);
    own.abort();
    work((message) => second.push(`${textOf(message)}:${message.attempt}`), { policyOverride: "ordered" });
    await waitUntil(async () => {
      const { rows } = await pool.query(`SELECT status FROM ${queue()} ORDER BY message_id`);
      expect(rows.map(({ status }) => status)).toEqual(["inflight", "deferred", "deferred"]);
    }, WAIT);
    release();
    await stopped;
    await waitUntil(() => expect(second).toEqual(["1:0", "2:0"]), WAIT);
  });

  it("goes on when the server comes back from a crash", async () => {
    const seen = new Set<string>();
    work((message) => seen.add(textOf(message)), { policyOverride: "ordered", leaseMs: 2_000 });
    await append(5);
    await waitUntil(() => expect(seen.size).toBe(5), WAIT);
    await broker.kill();
    await broker.restart();
    await waitUntil(() => append(5, () => "other"), WAIT);
    seen.clear();
    await waitUntil(() => expect(seen.size).toBe(5), WAIT);
  });
});
