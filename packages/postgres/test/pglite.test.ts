import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkSchema, type MigrationSet, migrate, migrationScript, schemaVersion } from "../src/index.js";
import { openPglite, type PglitePool } from "../src/pglite.js";

const first = { name: "a table", sql: (schema: string) => `CREATE TABLE ${schema}.things (id integer);` };
const second = { name: "it's a column", sql: (schema: string) => `ALTER TABLE ${schema}.things ADD name text;` };
const third = { name: "another", sql: (schema: string) => `ALTER TABLE ${schema}.things ADD more text;` };
const set = (...migrations: MigrationSet["migrations"]): MigrationSet => ({ component: "test", migrations });

describe("the embedded store", { timeout: 60_000 }, () => {
  let parent: string;
  let folder: string;
  let pool: PglitePool;
  beforeAll(async () => {
    parent = mkdtempSync(join(tmpdir(), "sinkwire-pglite-"));
    folder = join(parent, "store");
    pool = await openPglite({ folder });
  }, 60_000);
  afterAll(async () => {
    await pool?.close();
    rmSync(parent, { recursive: true, force: true });
  });

  it("tells whoever comes second that it is in use", async () => {
    await expect(openPglite({ folder })).rejects.toMatchObject({ code: "store_in_use" });
  });

  it("runs a transaction at a time", async () => {
    const one = await pool.connect();
    await one.query("BEGIN");
    await one.query("CREATE TABLE turns (id integer)");
    const counted = pool.query("SELECT count(*)::integer AS count FROM turns");
    await one.query("INSERT INTO turns VALUES (1), (2)");
    await one.query("COMMIT");
    one.release();
    one.release();
    expect((await counted).rows).toEqual([{ count: 2 }]);
  });

  it("undoes what a broken connection left open", async () => {
    const one = await pool.connect();
    await one.query("BEGIN");
    await one.query("CREATE TABLE undone (id integer)");
    one.release(true);
    await expect(pool.query("SELECT * FROM undone")).rejects.toMatchObject({ code: "42P01" });
  });

  it("makes the migrations that are missing, in a schema of any name", async () => {
    const options = { schema: `odd "$turn$ name'; --\\` };
    expect(await schemaVersion(pool, set(first), options)).toBe(0);
    await expect(checkSchema(pool, set(first), options)).rejects.toMatchObject({ code: "schema_too_old" });
    expect(await migrate(pool, set(first, second), { ...options, upTo: 1 })).toEqual([1]);
    expect(await migrate(pool, set(first, second), options)).toEqual([2]);
    expect(await migrate(pool, set(first, second), options)).toEqual([]);
    expect(await schemaVersion(pool, set(first, second), options)).toBe(2);
  });

  it("works with its own version of a schema and the next, and not with the one after", async () => {
    const options = { schema: "versions" };
    await migrate(pool, set(first, second), options);
    await checkSchema(pool, set(first, second), options);
    await checkSchema(pool, set(first), options);
    await migrate(pool, set(first, second, third), options);
    await expect(checkSchema(pool, set(first), options)).rejects.toMatchObject({
      code: "schema_too_new",
      retryable: false,
    });
    await expect(migrate(pool, set(first), options)).rejects.toMatchObject({ code: "schema_too_new" });
  });

  it("prints scripts that do by hand what migrate does, once and in turn", async () => {
    const options = { schema: "by hand" };
    const script = (number: number): string => migrationScript(set(first, second), { ...options, number });
    const run = async (text: string): Promise<void> => {
      const client = await pool.connect();
      const done = client.query(text);
      await done.then(
        () => client.release(),
        () => client.release(true),
      );
      await done;
    };
    await expect(run(script(2))).rejects.toThrow("test: migration 2 does not follow");
    await run(script(1));
    await expect(run(script(1))).rejects.toThrow("test: migration 1 does not follow");
    await run(script(2));
    expect(await schemaVersion(pool, set(first, second), options)).toBe(2);
  });

  it("leaves nothing of a migration that fails, and goes on from there", async () => {
    const options = { schema: "halfway" };
    const broken = { name: "broken", sql: (schema: string) => `CREATE TABLE ${schema}.rest (); SELECT 1 / 0;` };
    await expect(migrate(pool, set(first, broken), options)).rejects.toMatchObject({ code: "22012" });
    expect(await schemaVersion(pool, set(first), options)).toBe(1);
    await expect(pool.query("SELECT * FROM halfway.rest")).rejects.toMatchObject({ code: "42P01" });
    expect(await migrate(pool, set(first, second), options)).toEqual([2]);
  });
});
