import type { PGlite } from "@electric-sql/pglite";
import type { PooledClient, SqlPool, SqlResult } from "./client.js";
import { lockFolder } from "./folder-lock.js";

/** How to open the embedded store. */
export interface PgliteOptions {
  /** Where its data is. Default: none, everything is in memory. */
  readonly folder?: string | undefined;
}

/** A pool of the one connection that the embedded store has. */
export interface PglitePool extends SqlPool {
  /** Closes the store and unlocks its folder. */
  close(): Promise<void>;
}

/**
 * Opens PGlite, PostgreSQL inside this process, for demos and trials: it takes seconds and half a gigabyte to start, and
 * has one connection, so that every transaction waits for the one before. A server is for work.
 *
 * @param options - `folder`
 * @throws StoreError (`store_in_use`) when another process has the folder open
 */
export async function openPglite(options: PgliteOptions = {}): Promise<PglitePool> {
  const { folder } = options;
  const unlock = folder === undefined ? () => {} : lockFolder(folder);
  try {
    const { PGlite: Engine } = await import("@electric-sql/pglite");
    return createPool(await (folder === undefined ? Engine.create() : Engine.create(folder)), unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

function createPool(engine: PGlite, unlock: () => void): PglitePool {
  const run = async (text: string, values?: unknown[]): Promise<SqlResult> => {
    if (values !== undefined) return (await engine.query(text, values)) as SqlResult;
    const results = await engine.exec(text);
    return { rows: (results.at(-1)?.rows ?? []) as SqlResult["rows"] };
  };
  let turn: Promise<void> = Promise.resolve();
  const takeTurn = async (): Promise<() => void> => {
    const before = turn;
    let end = (): void => {};
    turn = new Promise((resolve) => {
      end = resolve;
    });
    await before;
    return end;
  };
  const connect = async (): Promise<PooledClient> => {
    const end = await takeTurn();
    let released = false;
    return {
      query: run,
      release(broken = false) {
        if (released) return;
        released = true;
        // There is no second connection: what a broken one left open is undone here.
        if (broken) void engine.exec("ROLLBACK").then(end, end);
        else end();
      },
    };
  };
  return {
    connect,
    async query(text, values) {
      const client = await connect();
      try {
        return await client.query(text, values);
      } finally {
        client.release();
      }
    },
    async close() {
      const end = await takeTurn();
      await engine.close();
      unlock();
      end();
    },
  };
}
