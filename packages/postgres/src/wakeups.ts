import { setTimeout as sleep } from "node:timers/promises";
import type { PooledClient, SqlPool } from "./client.js";

/** A connection that hears notifications: a client of `pg` does, one behind a pooler in transaction mode never will. */
interface ListeningClient extends PooledClient {
  on(
    event: "notification",
    listener: (notification: { channel: string; payload?: string | undefined }) => void,
  ): unknown;
  on(event: "error" | "end", listener: (error?: unknown) => void): unknown;
}

/** Wakes what waits for a channel. */
export interface Wakeups {
  /** Whether notifications arrive at the moment: without them, the poll of whoever waits is all there is. */
  readonly listens: boolean;
  /** Stops listening and closes its connection. */
  close(): Promise<void>;
}

/** How to listen. */
export interface WakeupOptions {
  /** The channel's name, any text of 1 to 63 bytes. */
  readonly channel: string;
  /** Called after each notification, and when a lost connection was made anew: something may have been missed. */
  readonly onWake: (payload: string) => void;
  /** How long an own notification may take before listening counts as impossible. Default 2,000. */
  readonly proofMs?: number;
  /** Between attempts to listen again. Default 5,000. */
  readonly retryMs?: number;
}

/**
 * Listens on a channel with one connection of a pool. Whether that works is not assumed but tried: an own notification
 * has to arrive. Where it does not, as behind a pooler in transaction mode, it is tried again now and then.
 *
 * @param pool - gives one connection away until `close`
 * @param options - `channel`, `onWake`, `proofMs`, `retryMs`
 * @returns at once; listening starts behind it, and never fails
 */
export function listenForWakeups(pool: SqlPool, options: WakeupOptions): Wakeups {
  const { channel, onWake, proofMs = 2_000, retryMs = 5_000 } = options;
  const over = new AbortController();
  let listens = false;

  const listenOnce = async (): Promise<void> => {
    const client = (await pool.connect()) as ListeningClient;
    try {
      if (typeof client.on !== "function") return;
      const lost = new AbortController();
      const gone = (): void => lost.abort();
      client.on("error", gone);
      client.on("end", gone);
      const proof = `proof ${crypto.randomUUID()}`;
      const proven = new Promise<void>((resolve) => {
        client.on("notification", ({ channel: heard, payload = "" }) => {
          if (heard !== channel || over.signal.aborted) return;
          if (payload === proof) resolve();
          else if (!payload.startsWith("proof ")) onWake(payload);
        });
      });
      await client.query(`LISTEN "${channel.replaceAll('"', '""')}"`);
      await pool.query("SELECT pg_notify($1, $2)", [channel, proof]);
      const ended = AbortSignal.any([lost.signal, over.signal]);
      listens = await Promise.race([proven.then(() => true), pause(proofMs, ended).then(() => false)]);
      if (!listens) return;
      onWake("");
      await new Promise<void>((resolve) => {
        if (ended.aborted) resolve();
        ended.addEventListener("abort", () => resolve());
      });
    } finally {
      listens = false;
      client.release(true);
    }
  };

  const listening = (async () => {
    while (!over.signal.aborted) {
      await listenOnce().catch(() => {});
      await pause(retryMs, over.signal);
    }
  })();
  return {
    get listens() {
      return listens;
    },
    async close() {
      over.abort();
      await listening;
    },
  };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => {});
}
