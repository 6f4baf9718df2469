import type { Connection } from "./client.js";
import { deliveryCount } from "./entries.js";

/** Where an entry is pending. */
export interface PendingPlace {
  readonly stream: string;
  readonly group: string;
  /** The consumer's name in the group. */
  readonly name: string;
}

/** Pending entries of one consumer. */
export interface PendingEntries {
  /** How often an entry was delivered; null when it is not pending with this consumer. */
  attempt(id: string): Promise<number | null>;
  /**
   * Sets how long an entry has been idle, if it is this consumer's.
   *
   * @param idleMs - milliseconds; whoever claims takes it when it is idle for long enough
   * @param attempt - how often it was delivered. Default: as it is
   * @returns whether it was this consumer's
   */
  setIdle(id: string, idleMs: number, attempt?: number): Promise<boolean>;
  ack(id: string): Promise<void>;
}

/** Gives the commands for entries that are pending with a consumer. */
export function pendingEntries(connection: Connection, { stream, group, name }: PendingPlace): PendingEntries {
  const attempt = async (id: string): Promise<number | null> =>
    deliveryCount(await connection.call("XPENDING", stream, group, id, id, 1, name));
  return {
    attempt,
    async setIdle(id, idleMs, count) {
      if ((await attempt(id)) === null) return false;
      const retryCount = count === undefined ? [] : ["RETRYCOUNT", count];
      await connection.call("XCLAIM", stream, group, name, 0, id, "IDLE", idleMs, ...retryCount, "JUSTID");
      return true;
    },
    async ack(id) {
      await connection.call("XACK", stream, group, id);
    },
  };
}
