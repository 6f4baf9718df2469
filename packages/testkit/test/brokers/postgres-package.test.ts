import { listenForWakeups, type MigrationSet, migrate, schemaVersion, type Wakeups } from "@sinkwire/postgres";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Broker, startBroker, waitUntil } from "../../src/brokers/index.js";

const WAIT = { limitMs: 10_000 };

describe("a server", () => {
  let broker: Broker;
  let pool: Pool;
  beforeAll(async () => {
    broker = await startBroker("postgres", { own: true });
    pool = new Pool({ connectionString: broker.url });
    pool.on("error", () => {});
  });
  afterAll(async () => {
    await pool?.end();
    await broker?.stop();
  });

  it("is migrated by several at once, each step once", async () => {
    const set: MigrationSet = {
      component: "test",
      migrations: [1, 2, 3].map((number) => ({
        name: `step ${number}`,
        sql: (schema) => `CREATE TABLE ${schema}.step_${number} ();`,
      })),
    };
    const made = await Promise.all([1, 2, 3, 4].map(() => migrate(pool, set, { schema: "together" })));
    expect(made.flat().sort()).toEqual([1, 2, 3]);
  });

  it("resumes a migration whose connection was cut half-way", async () => {
    const slow = { name: "slow", sql: (schema: string) => `CREATE TABLE ${schema}.slow (); SELECT pg_sleep(600);` };
    const quick = { name: "quick", sql: (schema: string) => `CREATE TABLE ${schema}.slow ();` };
    const cut = migrate(pool, { component: "test", migrations: [slow] }, { schema: "cut" });
    const failed = expect(cut).rejects.toThrow();
    await waitUntil(async () => {
      const sleeping = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
      expect((await pool.query(sleeping)).rowCount).toBe(1);
    }, WAIT);
    await failed;
    const set = { component: "test", migrations: [quick] };
    expect(await schemaVersion(pool, set, { schema: "cut" })).toBe(0);
    expect(await migrate(pool, set, { schema: "cut" })).toEqual([1]);
  });

  describe("wakes", () => {
    let wakeups: Wakeups;
    const heard: string[] = [];
    beforeAll(async () => {
      wakeups = listenForWakeups(pool, { channel: 'odd "name', onWake: (text) => heard.push(text), retryMs: 20 });
      await waitUntil(() => expect(wakeups.listens).toBe(true), WAIT);
    });
    afterAll(() => wakeups?.close());

    const notify = (text: string): Promise<unknown> => pool.query("SELECT pg_notify($1, $2)", ['odd "name', text]);

    it("who listens", async () => {
      await notify("one");
      await waitUntil(() => expect(heard).toContain("one"), WAIT);
    });

    it("again after its connection was cut, and once for what it missed", async () => {
      heard.length = 0;
      await pool.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'");
      await waitUntil(() => expect(heard).toContain(""), WAIT);
      await notify("two");
      await waitUntil(() => expect(heard).toContain("two"), WAIT);
    });
  });

  it("does not count as listening where no notification arrives", async () => {
    // What a pooler in transaction mode does: LISTEN succeeds on a connection that is another one's next.
    const deaf = {
      query: pool.query.bind(pool),
      connect: async () => ({ query: async () => ({ rows: [] }), on() {}, release() {} }),
    };
    let woken = 0;
    const wakeups = listenForWakeups(deaf, { channel: "deaf", onWake: () => woken++, proofMs: 50, retryMs: 1 });
    await pool.query("SELECT pg_notify('deaf', 'unheard')");
    expect(wakeups.listens).toBe(false);
    await wakeups.close();
    expect(woken).toBe(0);
  });
});
