import type { SqlPool } from "@sinkwire/postgres";
import { openPglite, type PglitePool } from "@sinkwire/postgres/pglite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ScriptEnd, ScriptGroup, ScriptMessage, Step } from "../../src/ordering/script.js";
import { World } from "../../src/ordering/world.js";

const ORDERED: ScriptGroup = { policy_override: "ordered" };
const keyed = (...keys: readonly string[]): Step => ({ op: "append", messages: keys.map((key) => ({ key })) });
const mixed = (...messages: readonly ScriptMessage[]): Step => ({ op: "append", messages });
const on = (
  at: string,
  ...ops: readonly ("claim" | "gate" | "start" | "commit" | "settle" | "stop" | "poll" | "mend" | "renew")[]
) => ops.map((op): Step => ({ op, at }));
const end = (op: "finish" | "fail" | "permanent" | "delay" | "time_out", id: number, at = "a", ms = 0): Step => ({
  op,
  id,
  at,
  ms,
});
const advance = (ms: number): Step => ({ op: "advance", ms });
/** Instance `a` has 1 to run, `b` has claimed 2: one key, a range each. */
const twoInstances: readonly Step[] = [keyed("k", "k"), ...on("a", "claim"), ...on("b", "claim"), ...on("a", "start")];

interface Case {
  readonly name: string;
  readonly group: ScriptGroup;
  readonly steps: readonly Step[];
  /** `instance:id:attempt`. */
  readonly starts: readonly string[];
  /** `id:status:attempts`. */
  readonly rows: readonly string[];
  readonly cursor: number;
}

const cases: readonly Case[] = [
  {
    name: "a message waits for another instance's open range, and runs once that is committed",
    group: { ...ORDERED, batch_size: 1 },
    steps: [
      ...twoInstances,
      ...on("b", "gate", "start"),
      end("finish", 1),
      ...on("a", "commit"),
      advance(500),
      ...on("b", "gate", "start"),
      end("finish", 2, "b"),
      ...on("b", "commit"),
    ],
    starts: ["a:1:0", "b:2:0"],
    rows: [],
    cursor: 2,
  },
  {
    name: "what waits for a range is parked without a row until it is settled, and then deferred",
    group: { ...ORDERED, batch_size: 1 },
    steps: [...twoInstances, advance(1_000), ...on("b", "settle")],
    starts: ["a:1:0"],
    rows: ["2:deferred:0"],
    cursor: 0,
  },
  {
    name: "a commit wakes what was deferred behind its range",
    group: { ...ORDERED, batch_size: 1 },
    steps: [...twoInstances, advance(1_000), ...on("b", "settle"), end("finish", 1), ...on("a", "commit")],
    starts: ["a:1:0"],
    rows: ["2:ready:0"],
    cursor: 1,
  },
  {
    name: "a row's chain does not hop over a message in another's open range",
    group: { ...ORDERED, batch_size: 1 },
    steps: [
      keyed("k", "k", "k"),
      ...on("a", "claim", "start"),
      end("fail", 1),
      ...on("a", "commit"),
      ...on("b", "claim"),
      ...on("c", "claim"),
      advance(1_000),
      ...on("c", "settle"),
      { op: "crash", at: "b" },
      advance(5_000),
      ...on("a", "poll", "start"),
      end("finish", 1),
      ...on("a", "start"),
    ],
    starts: ["a:1:0", "a:1:1"],
    rows: ["3:deferred:0"],
    cursor: 1,
  },
  {
    name: "a chain runs on over the instance's own ranges without a gap, and ends with a failure",
    group: { ...ORDERED, batch_size: 1 },
    steps: [
      keyed("k", "k", "k"),
      ...on("a", "claim", "claim", "claim", "start"),
      end("finish", 1),
      ...on("a", "start"),
      end("fail", 2),
      ...on("a", "start", "commit"),
    ],
    starts: ["a:1:0", "a:2:0"],
    rows: ["2:ready:1", "3:deferred:0"],
    cursor: 1,
  },
  {
    name: "ranges are committed in their order: a later one waits for the lowest",
    group: { ...ORDERED, batch_size: 1 },
    steps: [keyed("j", "k"), ...on("a", "claim", "claim", "start"), end("fail", 2), ...on("a", "commit")],
    starts: ["a:1:0", "a:2:0"],
    rows: [],
    cursor: 0,
  },
  {
    name: "what ran behind a range that was lost is deferred, with nothing spent",
    group: { ...ORDERED, batch_size: 1, max_ranges: 2 },
    steps: [
      keyed("k", "k"),
      ...on("a", "claim"),
      advance(20_000),
      ...on("a", "claim", "start"),
      end("finish", 1),
      ...on("a", "start"),
      end("finish", 2),
      advance(11_000),
      ...on("b", "claim"),
      ...on("a", "commit", "commit"),
    ],
    starts: ["a:1:0", "a:2:0"],
    rows: ["2:deferred:0"],
    cursor: 0,
  },
  {
    name: "nothing starts while the lease of an own lower range with its key ends",
    group: { ...ORDERED, batch_size: 1 },
    steps: [
      keyed("k", "k"),
      ...on("a", "claim"),
      advance(28_000),
      ...on("a", "start", "claim"),
      end("finish", 1),
      advance(1_500),
      ...on("a", "start"),
    ],
    starts: ["a:1:0"],
    rows: [],
    cursor: 0,
  },
  {
    name: "a range is settled although a handler runs: the rest of its key waits, other keys are free",
    group: ORDERED,
    steps: [keyed("k", "k", "j"), ...on("a", "claim", "start"), end("finish", 3), advance(1_000), ...on("a", "settle")],
    starts: ["a:1:0", "a:3:0"],
    rows: ["1:inflight:0", "2:deferred:0"],
    cursor: 0,
  },
  {
    name: "a message that ends after its range was settled lets the next one of its key run under the same fence",
    group: ORDERED,
    steps: [
      keyed("k", "k"),
      ...on("a", "claim", "start"),
      advance(1_000),
      ...on("a", "settle"),
      end("finish", 1),
      ...on("a", "start"),
      end("finish", 2),
    ],
    starts: ["a:1:0", "a:2:0"],
    rows: [],
    cursor: 2,
  },
  {
    name: "an exclusive message that waits for its key is ready when its range is settled",
    group: { policy_override: "exclusive", batch_size: 1 },
    steps: [...twoInstances, advance(1_000), ...on("b", "settle")],
    starts: ["a:1:0"],
    rows: ["2:ready:0"],
    cursor: 0,
  },
  {
    name: "an ordered message waits for a parallel one in front of it",
    group: {},
    steps: [
      mixed({ key: "k" }, { key: "k", policy: "ordered" }),
      ...on("a", "claim", "start"),
      end("finish", 1),
      ...on("a", "gate", "start"),
    ],
    starts: ["a:1:0", "a:2:0"],
    rows: [],
    cursor: 0,
  },
  {
    name: "an ordered message is deferred behind a parallel one that failed",
    group: {},
    steps: [
      mixed({ key: "k" }, { key: "k", policy: "ordered" }),
      ...on("a", "claim", "start"),
      end("fail", 1),
      ...on("a", "gate", "start", "commit"),
    ],
    starts: ["a:1:0"],
    rows: ["1:ready:1", "2:deferred:0"],
    cursor: 0,
  },
  {
    name: "a delay of an hour holds the key, then the rest runs as one chain",
    group: ORDERED,
    steps: [
      keyed("k", "k", "k"),
      ...on("a", "claim", "start"),
      end("delay", 1, "a", 3_600_000),
      ...on("a", "commit"),
      advance(3_599_000),
      ...on("a", "mend", "poll", "start"),
      advance(1_000),
      ...on("a", "poll", "start"),
      end("finish", 1),
      ...on("a", "start"),
      end("finish", 2),
      ...on("a", "start"),
      end("finish", 3),
    ],
    starts: ["a:1:0", "a:1:1", "a:2:0", "a:3:0"],
    rows: [],
    cursor: 3,
  },
  {
    name: "the budget counts failures: the fourth is the last, and releases the key",
    group: ORDERED,
    steps: [
      keyed("k", "k"),
      ...on("a", "claim", "start"),
      end("fail", 1),
      ...on("a", "commit"),
      ...[5_000, 1_000, 2_000].flatMap((ms) => [advance(ms), ...on("a", "poll", "start"), end("fail", 1)]),
      ...on("a", "poll", "start"),
    ],
    starts: ["a:1:0", "a:1:1", "a:1:2", "a:1:3", "a:2:0"],
    rows: ["1:dead:4", "2:inflight:0"],
    cursor: 1,
  },
  {
    name: "a dead message that holds keeps its key, and not the cursor",
    group: { ...ORDERED, on_dead: "hold" },
    steps: [
      keyed("k", "j"),
      ...on("a", "claim", "start"),
      end("permanent", 1),
      end("finish", 2),
      ...on("a", "commit"),
      keyed("k"),
      ...on("a", "claim", "start", "commit"),
    ],
    starts: ["a:1:0", "a:2:0"],
    rows: ["1:dead:1", "3:deferred:0"],
    cursor: 2,
  },
  {
    name: "a stop leaves what has not started to others, and what runs to its lease",
    group: ORDERED,
    steps: [keyed("k", "k"), ...on("a", "claim", "start", "stop"), advance(31_000), ...on("b", "mend")],
    starts: ["a:1:0"],
    rows: ["1:ready:1", "2:deferred:0"],
    cursor: 0,
  },
  {
    name: "a handler that was given up keeps its key until it returns",
    group: ORDERED,
    steps: [
      keyed("k"),
      ...on("a", "claim", "start"),
      end("time_out", 1),
      ...on("a", "commit"),
      advance(5_000),
      ...on("b", "poll", "start"),
      { op: "returned", at: "a", id: 1 },
      ...on("b", "poll", "start"),
    ],
    starts: ["a:1:0", "b:1:1"],
    rows: ["1:inflight:1"],
    cursor: 0,
  },
  {
    name: "the fourth reclaim of a range splits it into rows, the lowest of a key in front",
    group: ORDERED,
    steps: [
      keyed("k", "k"),
      ...["a", "b", "c", "d"].flatMap((at) => [...on(at, "claim"), advance(31_000)]),
      ...on("e", "claim"),
    ],
    starts: [],
    rows: ["1:ready:0", "2:deferred:0"],
    cursor: 0,
  },
  {
    name: "an expired range is claimed although as many are open as may be",
    group: { ...ORDERED, batch_size: 1, max_ranges: 1 },
    steps: [
      keyed("j", "k"),
      ...on("a", "claim"),
      advance(20_000),
      ...on("b", "claim"),
      advance(11_000),
      ...on("b", "claim", "start"),
    ],
    starts: ["b:2:0", "b:1:0"],
    rows: [],
    cursor: 0,
  },
];

describe("rules of the inbox", { timeout: 60_000 }, () => {
  let pool: PglitePool;
  beforeAll(async () => {
    pool = await openPglite();
  }, 60_000);
  afterAll(() => pool?.close(), 60_000);

  const run = async (group: ScriptGroup, steps: readonly Step[]): Promise<ScriptEnd> => {
    const world = await World.open(pool, "rules", { group, steps });
    try {
      for (const step of steps) await world.step(step);
      return await world.end();
    } finally {
      world.close();
    }
  };

  it.each(cases)("$name", async ({ group, steps, ...expected }) => {
    const { starts, rows, cursor } = await run(group, steps);
    expect({
      starts: starts.map(([at, id, attempt]) => `${at}:${id}:${attempt}`),
      rows: rows.map(({ id, status, attempts }) => `${id}:${status}:${attempts}`),
      cursor,
    }).toEqual({ starts: expected.starts, rows: expected.rows, cursor: expected.cursor });
  });

  it("a range takes three statements, whatever the number of its messages and keys", async () => {
    let statements = 0;
    const counted: SqlPool = {
      connect: () => pool.connect(),
      query(text, values) {
        statements++;
        return pool.query(text, values);
      },
    };
    const group = { ...ORDERED, batch_size: 100 };
    const world = await World.open(counted, "rules", { group, steps: [] });
    await world.step(keyed(...Array.from({ length: 60 }, (_, index) => `k${index % 20}`)));
    statements = 0;
    await world.step({ op: "claim" });
    for (let count = 0; count < 3; count++) {
      await world.step({ op: "start" });
      for (const id of world.running("a")) await world.step(end("finish", id));
    }
    await world.step({ op: "commit" });
    expect(statements).toBe(3);
    expect(world.starts).toHaveLength(60);
    expect(await world.end()).toMatchObject({ rows: [], cursor: 60 });
  });

  it("fences rise over releases and sweeps", async () => {
    const once = [keyed("k"), ...on("a", "claim", "start")];
    const { starts } = await run(ORDERED, [
      ...once,
      end("finish", 1),
      ...on("a", "commit"),
      { op: "sweep" },
      ...once,
      end("finish", 2),
      ...on("a", "commit"),
      ...once,
    ]);
    expect(starts.map(([, , , fence]) => fence)).toEqual([1, 2, 3]);
  });
});
