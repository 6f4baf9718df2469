import { setTimeout as sleep } from "node:timers/promises";

/** Shortest time between two commits, in milliseconds. The first goes out at once, and so does the last. */
const INTERVAL_MS = 100;

/** A partition, as far as commits go. */
export interface Committable {
  readonly id: number;
  /** Aborted when the partition was taken away: nothing is committed any more. */
  readonly signal: AbortSignal;
}

/** The offsets of a consumer that are to be committed. */
export interface Commits {
  /** Has the offset of the next record to read committed, soon and together with others. A failed commit is tried again. */
  commit(partition: Committable, offset: bigint): void;
  /** Commits what is left, once. */
  stop(): Promise<void>;
}

/**
 * Makes commits.
 *
 * @param send - commits once
 */
export function createCommits(send: (offsets: ReadonlyMap<number, bigint>) => Promise<void>): Commits {
  const left = new Map<Committable, bigint>();
  const stopping = new AbortController();
  let running: Promise<void> | null = null;

  const sendOnce = async (): Promise<void> => {
    for (const partition of left.keys()) if (partition.signal.aborted) left.delete(partition);
    if (left.size === 0) return;
    const sent = new Map(left);
    await send(new Map(Array.from(sent, ([{ id }, offset]) => [id, offset])));
    for (const [partition, offset] of sent) if (left.get(partition) === offset) left.delete(partition);
  };
  const run = async (): Promise<void> => {
    while (left.size > 0 && !stopping.signal.aborted) {
      await sendOnce().catch(() => {});
      await sleep(INTERVAL_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
    running = null;
  };

  return {
    commit(partition, offset) {
      left.set(partition, offset);
      running ??= run();
    },
    async stop() {
      stopping.abort();
      await running;
      await sendOnce().catch(() => {});
    },
  };
}
