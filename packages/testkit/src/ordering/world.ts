import {
  appendMessages,
  Engine,
  GroupStore,
  INBOX_SCHEMA,
  type Policy,
  type Run,
  type Stream,
} from "@sinkwire/inbox/steps";
import { migrate, type PooledClient, quoteSchema, type SqlPool } from "@sinkwire/postgres";
import type { Script, ScriptEnd, ScriptRow, Step } from "./script.js";

const BATCH = 10;
const LEASE_MS = 30_000;
const SETTLE_MS = 1_000;

interface Instance {
  readonly engine: Engine;
  readonly runs: Map<number, Run>;
  /** Given up, and not returned. */
  readonly late: Map<number, Run>;
}

/** One schema, one group, and instances of the real engine under a clock that only moves when it is told to. */
export class World {
  readonly starts: [string, number, number, number][] = [];
  /** Told of every start, before anything else happens. */
  onStart: (run: Run, at: string) => Promise<void> = async () => {};
  readonly #pool: SqlPool;
  readonly #name: string;
  readonly #schema: string;
  readonly #script: Script;
  readonly #stream: Stream;
  readonly #store: GroupStore;
  readonly #instances = new Map<string, Instance>();
  readonly #transactions = new Map<string, PooledClient>();
  readonly group: number;
  #nowMs = 0;

  private constructor(pool: SqlPool, name: string, script: Script, stream: Stream, group: number) {
    this.#pool = pool;
    this.#name = name;
    this.#schema = quoteSchema(name);
    this.#script = script;
    this.#stream = stream;
    this.group = group;
    const { policy_override = null, default_policy = null, lease_ms = LEASE_MS } = script.group ?? {};
    const settings = { policyOverride: policy_override, defaultPolicy: default_policy, leaseMs: lease_ms };
    this.#store = new GroupStore(pool, name, group, settings);
  }

  /**
   * Makes a schema with one stream, whose id is 1, and one group; one that is there is emptied.
   *
   * @param options - `group`: the group's id, default 1
   */
  static async open(
    pool: SqlPool,
    name: string,
    script: Script,
    options: { readonly group?: number } = {},
  ): Promise<World> {
    const schema = quoteSchema(name);
    const group = options.group ?? 1;
    await migrate(pool, INBOX_SCHEMA, { schema: name });
    await pool.query(`
      CREATE TABLE IF NOT EXISTS ${schema}.script_clock (ms float8 NOT NULL);
      TRUNCATE ${schema}.script_clock, ${schema}.stream, ${schema}.consumer_group, ${schema}.message_log,
        ${schema}.compaction_head, ${schema}.range_lease, ${schema}.message_key_lease, ${schema}.exception_queue
        RESTART IDENTITY;
      ALTER SEQUENCE ${schema}.message_id RESTART;
      DROP VIEW IF EXISTS ${schema}.exception_queue_1;
      INSERT INTO ${schema}.script_clock VALUES (0);
      CREATE OR REPLACE FUNCTION ${schema}.clock() RETURNS timestamptz LANGUAGE sql VOLATILE
        AS $$SELECT timestamptz '2030-01-01Z' + make_interval(secs => ms / 1000) FROM ${schema}.script_clock$$`);
    const opened = await pool.query(`SELECT id, compacts FROM ${schema}.open_stream($1, $2)`, ["s", !!script.compacts]);
    const [stream] = opened.rows as unknown as Stream[];
    await pool.query(`SELECT setval(pg_get_serial_sequence($1, 'id'), $2, false)`, [`${schema}.consumer_group`, group]);
    await pool.query(`SELECT ${schema}.open_group($1, 'g', false)`, [stream?.id]);
    return new World(pool, name, script, stream as Stream, group);
  }

  /** Takes one step. */
  async step(step: Step): Promise<void> {
    switch (step.op) {
      case "append": {
        const client = step.tx === undefined ? this.#pool : this.#transaction(step.tx);
        const messages = step.messages.map((message, index) => ({ ...message, payload: Uint8Array.of(index) }));
        await appendMessages(client, this.#stream, messages, { schema: this.#name });
        return;
      }
      case "begin": {
        const client = await this.#pool.connect();
        await client.query("BEGIN");
        this.#transactions.set(step.tx, client);
        return;
      }
      case "end":
      case "undo": {
        const client = this.#transaction(step.tx);
        this.#transactions.delete(step.tx);
        await client.query(step.op === "end" ? "COMMIT" : "ROLLBACK");
        client.release();
        return;
      }
      case "advance":
        this.#nowMs += step.ms;
        await this.#pool.query(`UPDATE ${this.#schema}.script_clock SET ms = $1`, [this.#nowMs]);
        return;
      case "first_id":
        await this.#pool.query(`SELECT setval($1, $2, false)`, [`${this.#schema}.message_id`, step.id]);
        return;
      case "sweep":
        await this.#store.sweepKeys(1_000);
        return;
      case "cursor":
        await this.#store.advanceCursor();
        return;
      case "crash":
        this.#instances.delete(step.at ?? "a");
        return;
      default:
        await this.#act(step, step.at ?? "a");
    }
  }

  /** The messages that run on an instance. */
  running(name: string): number[] {
    return [...this.#instance(name).runs.keys()];
  }

  /** What the database holds, and what started. */
  async end(): Promise<ScriptEnd> {
    const cursor = Number(await this.#store.advanceCursor());
    const { rows } = await this.#pool.query(`
      SELECT message_id::float8 AS id, message_key AS key, concurrency AS policy, status, attempts, delays,
        CASE status WHEN 'ready' THEN extract(epoch FROM can_run_after - ${this.#schema}.clock())::float8 * 1000 END AS due_ms
      FROM ${this.#schema}.exception_queue WHERE consumer_group_id = ${this.group} ORDER BY message_id`);
    return {
      starts: this.starts,
      rows: rows.map((row) => ({
        id: row["id"] as number,
        key: row["key"] as string | null,
        policy: row["policy"] as Policy,
        status: row["status"] as string,
        attempts: row["attempts"] as number,
        delays: row["delays"] as number,
        due_ms: row["due_ms"] === null ? null : Math.max(0, Math.round(row["due_ms"] as number)),
      })) satisfies ScriptRow[],
      cursor,
    };
  }

  /** Gives back what transactions hold. */
  close(): void {
    for (const client of this.#transactions.values()) client.release(true);
  }

  async #act(
    step: Exclude<
      Step,
      { op: "append" | "begin" | "end" | "undo" | "advance" | "first_id" | "sweep" | "cursor" | "crash" }
    >,
    at: string,
  ): Promise<void> {
    const { engine, runs, late } = this.#instance(at);
    switch (step.op) {
      case "claim":
        await engine.claim();
        return;
      case "gate":
        await engine.gate();
        return;
      case "start":
        for (let run = engine.start(); run !== null; run = engine.start()) {
          const id = Number(run.message.id);
          runs.set(id, run);
          this.starts.push([at, id, run.attempt, Number(run.fence)]);
          await this.onStart(run, at);
          if (step.id !== undefined) break;
        }
        return;
      case "commit":
        while (await engine.commit());
        return;
      case "settle":
        while (await engine.settle(SETTLE_MS));
        return;
      case "stop":
        while (await engine.settle(0));
        return;
      case "poll":
        await engine.claimRows(BATCH);
        return;
      case "mend":
        await engine.mend();
        return;
      case "renew":
        await engine.renew();
        return;
      case "returned": {
        const run = late.get(step.id ?? -1);
        if (run !== undefined) await engine.returned(run);
        return;
      }
      default: {
        const run = runs.get(step.id);
        if (run === undefined) throw new Error(`${step.id} does not run on ${at}`);
        runs.delete(step.id);
        if (step.op === "time_out") late.set(step.id, run);
        await engine.finish(run, resultOf(step.op, step.ms ?? 0), { returned: step.op !== "time_out" });
      }
    }
  }

  #instance(name: string): Instance {
    let instance = this.#instances.get(name);
    if (instance === undefined) {
      const {
        on_dead = "release",
        max_retries = 3,
        batch_size = BATCH,
        max_ranges = 4,
        lease_ms = LEASE_MS,
      } = this.#script.group ?? {};
      const engine = new Engine(this.#store, {
        batchSize: batch_size,
        maxRanges: max_ranges,
        leaseMs: lease_ms,
        marginMs: 1_000,
        maxRetries: max_retries,
        firstRetryMs: 5_000,
        retryBaseMs: 1_000,
        maxRetryMs: 300_000,
        onDead: on_dead,
        now: () => this.#nowMs,
        randomToken: () => crypto.randomUUID(),
      });
      instance = { engine, runs: new Map(), late: new Map() };
      this.#instances.set(name, instance);
    }
    return instance;
  }

  #transaction(name: string): PooledClient {
    const client = this.#transactions.get(name);
    if (client === undefined) throw new Error(`no transaction ${name}`);
    return client;
  }
}

function resultOf(
  op: "finish" | "fail" | "permanent" | "delay" | "time_out",
  ms: number,
): Parameters<Engine["finish"]>[1] {
  if (op === "finish") return { kind: "success" };
  if (op === "delay") return { kind: "delay", delayMs: ms };
  return { kind: "failure", permanent: op === "permanent", error: op };
}
