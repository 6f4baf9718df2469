import { openPglite, type PglitePool } from "@sinkwire/postgres/pglite";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Script, Step } from "../../src/ordering/script.js";
import { World } from "../../src/ordering/world.js";

/** The query of the reference, word for word. */
const DIAGNOSTIC = `SELECT
    message_id,
    message_key,
    status,
    attempts,
    can_run_after
FROM sqlstreams.exception_queue_1
WHERE consumer_group_id = 7 AND message_key = 'acct-42'
ORDER BY message_id;`;

describe("the examples of the reference", () => {
  let pool: PglitePool;
  let world: World;
  beforeAll(async () => {
    pool = await openPglite();
  }, 60_000);
  afterAll(() => pool?.close(), 60_000);
  afterEach(() => world?.close());

  const open = async (policy: "exclusive" | "ordered", steps: readonly Step[]): Promise<void> => {
    const script: Script = { group: { policy_override: policy }, steps: [] };
    world = await World.open(pool, "sqlstreams", script, { group: 7 });
    await play({ op: "first_id", id: 101 }, ...steps);
  };
  const play = async (...steps: readonly Step[]): Promise<void> => {
    for (const step of steps) await world.step(step);
  };
  const rows = async (): Promise<unknown[]> =>
    (await pool.query(DIAGNOSTIC)).rows.map((row) => [
      Number(row["message_id"]),
      row["message_key"],
      row["status"],
      row["attempts"],
    ]);
  const append = (count: number): Step => ({
    op: "append",
    messages: Array.from({ length: count }, () => ({ key: "acct-42" })),
  });

  it("exclusive delivery applies 102 before it retries 101", { timeout: 60_000 }, async () => {
    await open("exclusive", [append(2), { op: "claim" }, { op: "start" }, { op: "fail", id: 101 }, { op: "commit" }]);
    expect(await rows()).toEqual([
      [101, "acct-42", "ready", 1],
      [102, "acct-42", "ready", 0],
    ]);
    await play({ op: "poll" }, { op: "start" }, { op: "finish", id: 102 });
    await play({ op: "advance", ms: 5_000 }, { op: "poll" }, { op: "start" }, { op: "finish", id: 101 });
    expect(world.starts.map(([, id, attempt]) => [id, attempt])).toEqual([
      [101, 0],
      [102, 0],
      [101, 1],
    ]);
    expect(await world.end()).toMatchObject({ rows: [], cursor: 102 });
  });

  it("ordered delivery keeps 102 to 104 behind 101, then runs all four in order", { timeout: 60_000 }, async () => {
    await open("ordered", [append(4), { op: "claim" }, { op: "start" }, { op: "fail", id: 101 }, { op: "commit" }]);
    expect(await rows()).toEqual([
      [101, "acct-42", "ready", 1],
      [102, "acct-42", "deferred", 0],
      [103, "acct-42", "deferred", 0],
      [104, "acct-42", "deferred", 0],
    ]);
    await play({ op: "poll" }, { op: "start" });
    expect(world.starts).toHaveLength(1);
    await play({ op: "advance", ms: 5_000 }, { op: "poll" }, { op: "start" });
    for (const id of [101, 102, 103, 104]) await play({ op: "finish", id }, { op: "start" });
    expect(world.starts.map(([, id, attempt]) => [id, attempt])).toEqual([
      [101, 0],
      [101, 1],
      [102, 0],
      [103, 0],
      [104, 0],
    ]);
    expect(await rows()).toEqual([]);
    expect(await world.end()).toMatchObject({ rows: [], cursor: 104 });
  });
});
