import type { Policy, Run } from "@sinkwire/inbox/steps";
import { quoteSchema, type SqlPool } from "@sinkwire/postgres";
import type { Script, Step } from "./script.js";
import { World } from "./world.js";

/** A random program: what its group is like, and how its steps are drawn. */
export interface Program extends Script {
  readonly seed: number;
  readonly length: number;
}

const KEYS = ["x", "y", "z", null];
const INSTANCES = ["a", "b", "c"];
/** Longer than any backoff and any lease. */
const LONG_MS = 400_000;

/**
 * Plays a random program on the real engine, and holds every start against a model that knows nothing of ranges, chains
 * and rows: what was appended, what each instance finished since it started, and what the database holds as unresolved.
 *
 * @returns what is wrong, with the steps that led there; null when nothing is
 */
export async function playProgram(pool: SqlPool, name: string, program: Program): Promise<string | null> {
  const world = await World.open(pool, name, program);
  const random = generator(program.seed);
  const model = new Model(pool, name, world, program.group?.policy_override ?? null);
  world.onStart = (run, at) => model.started(run, at);
  const played: Step[] = [];
  const play = async (step: Step): Promise<void> => {
    played.push(step);
    if (step.op === "crash") model.crashed(step.at ?? "a");
    if (step.op === "finish" || step.op === "permanent") model.resolved(step.id, step.at ?? "a");
    await world.step(step);
  };
  try {
    for (let count = 0; count < program.length; count++) await play(draw(random, world, model));
    for (const tx of [...model.open]) await play(model.ended(tx, "end"));
    await drain(world, model, play);
    await model.atTheEnd();
    return null;
  } catch (error) {
    return `seed ${program.seed}: ${(error as Error).stack}\n${played.map((step) => JSON.stringify(step)).join("\n")}`;
  } finally {
    world.close();
  }
}

/** Until nothing is left: everything that runs succeeds, and time passes. */
async function drain(world: World, model: Model, play: (step: Step) => Promise<void>): Promise<void> {
  for (let round = 0; round < 60; round++) {
    for (const at of INSTANCES) {
      for (let busy = true; busy; ) {
        for (const op of ["claim", "gate", "poll", "start"] as const) await play({ op, at });
        const ids = world.running(at);
        for (const id of ids) await play({ op: "finish", id, at });
        await play({ op: "commit", at });
        busy = ids.length > 0;
      }
      await play({ op: "renew", at });
      await play({ op: "mend", at });
      await play({ op: "settle", at });
    }
    if (await model.isDone()) return;
    await play({ op: "advance", ms: round % 2 === 0 ? 2_000 : LONG_MS });
  }
  throw new Error("it never comes to an end");
}

type Random = (below: number) => number;

/** mulberry32: small, and the same everywhere. */
function generator(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function draw(random: Random, world: World, model: Model): Step {
  const at = INSTANCES[random(INSTANCES.length)] as string;
  const runs = world.running(at);
  const id = runs[random(Math.max(1, runs.length))];
  const choice = random(100);
  if (choice < 12) return { op: "append", messages: Array.from({ length: 1 + random(4) }, () => message(random)) };
  if (choice < 15 && model.open.size < 2) return model.begun(`t${model.begins}`);
  if (choice < 18 && model.open.size > 0) {
    const tx = [...model.open][random(model.open.size)] as string;
    return random(2) === 0
      ? { op: "append", tx, messages: [message(random)] }
      : model.ended(tx, random(4) === 0 ? "undo" : "end");
  }
  if (choice < 32) return { op: "claim", at };
  if (choice < 36) return { op: "gate", at };
  if (choice < 50) return { op: "start", at, ...(random(2) === 0 ? { id: 0 } : {}) };
  if (choice < 70 && id !== undefined) {
    const op = (["finish", "finish", "finish", "fail", "permanent", "delay"] as const)[random(6)] as "finish";
    return { op, id, at, ms: 10_000 };
  }
  if (choice < 78) return { op: "commit", at };
  if (choice < 83) return { op: "poll", at };
  if (choice < 87) return { op: "renew", at };
  if (choice < 90) return { op: "mend", at };
  if (choice < 92) return { op: "settle", at };
  if (choice < 93) return { op: "stop", at };
  if (choice < 94) return { op: "sweep" };
  if (choice < 95) return { op: "crash", at };
  return { op: "advance", ms: [500, 2_000, 6_000, 31_000][random(4)] as number };
}

function message(random: Random): { key: string | null; policy: Policy | null } {
  const key = KEYS[random(KEYS.length)] ?? null;
  const policies = key === null ? [null] : ([null, "parallel", "exclusive", "ordered", "ordered"] as const);
  return { key, policy: policies[random(policies.length)] ?? null };
}

interface Known {
  readonly id: number;
  readonly key: string | null;
  readonly policy: Policy;
  readonly resolved: boolean;
}

class Model {
  readonly open = new Set<string>();
  begins = 0;
  readonly #pool: SqlPool;
  readonly #schema: string;
  readonly #world: World;
  readonly #override: Policy | null;
  /** What each instance has resolved since it started, whatever became of that. */
  readonly #finished = new Map<string, Set<number>>();
  readonly #tokens = new Map<string, { readonly token: string; readonly fence: bigint }>();
  readonly #runs = new Map<string, Run>();

  constructor(pool: SqlPool, name: string, world: World, override: Policy | null) {
    this.#pool = pool;
    this.#schema = quoteSchema(name);
    this.#world = world;
    this.#override = override;
  }

  begun(tx: string): Step {
    this.begins++;
    this.open.add(tx);
    return { op: "begin", tx };
  }

  ended(tx: string, op: "end" | "undo"): Step {
    this.open.delete(tx);
    return { op, tx };
  }

  crashed(at: string): void {
    this.#finished.delete(at);
    for (const name of this.#runs.keys()) if (name.startsWith(`${at} `)) this.#runs.delete(name);
  }

  resolved(id: number, at: string): void {
    const ids = this.#finished.get(at) ?? new Set();
    this.#finished.set(at, ids.add(id));
  }

  async started(run: Run, at: string): Promise<void> {
    const id = Number(run.message.id);
    const all = await this.#known();
    const self = all.find((one) => one.id === id);
    if (self === undefined) throw new Error(`${id} started before it was appended`);
    if (self.resolved) throw new Error(`${id} started again after it was resolved`);
    this.#finished.get(at)?.delete(id);
    if (self.policy === "parallel") return;
    await this.#checkLease(run, at);
    if (self.policy !== "ordered") return;
    for (const other of all) {
      if (other.key !== self.key) continue;
      const done = other.resolved || this.#finished.get(at)?.has(other.id) === true;
      if (other.id < id && !done) throw new Error(`${id} started on ${at} before ${other.id} was resolved`);
      if (other.id > id && other.policy === "ordered" && other.resolved) {
        throw new Error(`${id} started after ${other.id} was resolved`);
      }
    }
  }

  /** Every message is resolved. */
  async isDone(): Promise<boolean> {
    return (await this.#known()).every(({ resolved }) => resolved);
  }

  async atTheEnd(): Promise<void> {
    const { rows, cursor } = await this.#world.end();
    const left = rows.filter(({ status }) => status !== "dead");
    if (left.length > 0) throw new Error(`left over: ${JSON.stringify(left)}`);
    const last = (await this.#known()).at(-1)?.id ?? 0;
    if (cursor < last) throw new Error(`the cursor is at ${cursor} of ${last}`);
    const started = new Set(this.#world.starts.map(([, id]) => id));
    for (const { id } of await this.#known()) if (!started.has(id)) throw new Error(`${id} never ran`);
  }

  async #checkLease(run: Run, at: string): Promise<void> {
    const { key, id } = run.message;
    const text = `SELECT token, fence::text, expires > ${this.#schema}.clock() AS live FROM ${this.#schema}.message_key_lease
      WHERE consumer_group_id = $1 AND message_key = $2`;
    const { rows } = await this.#pool.query(text, [this.#world.group, key]);
    const [row] = rows;
    if (row?.["token"] !== run.token || row?.["live"] !== true)
      throw new Error(`${id} started on ${at} without its key`);
    if (row["fence"] !== String(run.fence)) throw new Error(`${id} has fence ${run.fence}, its key ${row["fence"]}`);
    const last = this.#tokens.get(key as string);
    if (last !== undefined && last.token !== run.token && last.fence >= run.fence) {
      throw new Error(`${id} has fence ${run.fence} after ${last.fence}`);
    }
    this.#tokens.set(key as string, { token: run.token as string, fence: run.fence });
    for (const [name, other] of this.#runs) {
      const [where = "", which] = name.split(" ");
      if (!this.#world.running(where).includes(Number(which))) this.#runs.delete(name);
      else if (other.token === run.token && other !== run)
        throw new Error(`${id} started on ${at} while ${name} holds its key`);
    }
    this.#runs.set(`${at} ${id}`, run);
  }

  /** What a reader sees, by id. */
  async #known(): Promise<Known[]> {
    const { rows } = await this.#pool.query(`
      SELECT m.id::float8 AS id, m.message_key AS key, m.concurrency AS policy,
        m.id <= g.claimed
        AND NOT EXISTS (SELECT 1 FROM ${this.#schema}.range_lease r WHERE r.consumer_group_id = g.id AND m.id > r.low AND m.id <= r.high)
        AND NOT EXISTS (SELECT 1 FROM ${this.#schema}.exception_queue e
          WHERE e.consumer_group_id = g.id AND e.message_id = m.id AND e.unresolved) AS resolved
      FROM ${this.#schema}.message_log m JOIN ${this.#schema}.consumer_group g ON g.stream_id = m.stream_id ORDER BY m.id`);
    return rows.map((row) => {
      const key = row["key"] as string | null;
      const policy = key === null ? "parallel" : (this.#override ?? (row["policy"] as Policy | null) ?? "parallel");
      return { id: row["id"] as number, key, policy, resolved: row["resolved"] as boolean };
    });
  }
}
