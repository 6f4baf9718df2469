import type { PooledClient, SqlPool } from "./client.js";

/** `pg` tells of a lost connection by an event that ends the process when nobody listens. */
interface EmittingClient extends PooledClient {
  on?(event: "error", listener: () => void): unknown;
  off?(event: "error", listener: () => void): unknown;
}

const ignore = (): void => {};

/**
 * Takes a connection of a pool for some work, and gives it back; after an error it is closed, so that nothing stays open
 * on it.
 *
 * @returns what the work returned
 * @throws what the work threw, or the pool
 */
export async function withClient<T>(pool: SqlPool, work: (client: PooledClient) => Promise<T>): Promise<T> {
  const client: EmittingClient = await pool.connect();
  client.on?.("error", ignore);
  let broken = true;
  try {
    const result = await work(client);
    broken = false;
    return result;
  } finally {
    client.off?.("error", ignore);
    client.release(broken);
  }
}
