import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Broker, startBroker } from "../../src/brokers/index.js";
import { type Program, playProgram } from "../../src/ordering/model.js";

/** More with `SINKWIRE_PROGRAMS`, from the seed `SINKWIRE_SEED` on. */
const COUNT = Number(process.env["SINKWIRE_PROGRAMS"] ?? 24);
const FIRST = Number(process.env["SINKWIRE_SEED"] ?? 1);

describe("random programs", () => {
  let broker: Broker;
  let pool: Pool;
  beforeAll(async () => {
    broker = await startBroker("postgres");
    pool = new Pool({ connectionString: broker.url, options: "-c jit=off" });
  });
  afterAll(async () => {
    await pool?.end();
    await broker?.stop();
  });

  it.each(["mixed", "ordered", "exclusive"] as const)(
    "%s: every start is one that the model allows",
    { timeout: 3_600_000 },
    async (kind) => {
      for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
        const policy_override = kind === "mixed" ? null : kind;
        const group = { policy_override, batch_size: 1 + (seed % 4), max_ranges: 1 + (seed % 3) };
        const program: Program = { seed, length: 120, group, steps: [] };
        expect(await playProgram(pool, `model_${kind}`, program)).toBeNull();
      }
    },
  );
});
