import { setTimeout as sleep } from "node:timers/promises";

/** Pause after a commit that failed, in milliseconds. */
const PAUSE_MS = 100;

/** A partition, as far as commits go. */
export interface Committable {
  readonly id: number;
  /** Aborted when the partition was taken away: nothing is committed any more. */
  readonly signal: AbortSignal;
}

/** The offsets of a consumer that are to be committed. */
export interface Commits {
  /**
   * Commits the offset of the next record to read, in one request with what else is waiting.
   *
   * @returns resolves when the offset or a later one is committed, or the partition was taken away
   * @throws the client's error after `stop`; before that, it is tried again
   */
  commit(partition: Committable, offset: bigint): Promise<void>;
  /** Tries nothing a second time from now on. Resolves when nothing waits. */
  stop(): Promise<void>;
}

interface Waiting {
  offset: bigint;
  readonly settled: { readonly resolve: () => void; readonly reject: (error: unknown) => void }[];
}

/**
 * Makes commits.
 *
 * @param send - commits once
 */
export function createCommits(send: (offsets: ReadonlyMap<number, bigint>) => Promise<void>): Commits {
  let waiting = new Map<Committable, Waiting>();
  let running: Promise<void> | null = null;
  const stopping = new AbortController();

  const add = (partition: Committable, offset: bigint, settled: Waiting["settled"]): void => {
    const there = waiting.get(partition);
    if (there === undefined) {
      waiting.set(partition, { offset, settled: [...settled] });
    } else {
      if (offset > there.offset) there.offset = offset;
      there.settled.push(...settled);
    }
  };
  const run = async (): Promise<void> => {
    while (waiting.size > 0) {
      const taken = waiting;
      waiting = new Map();
      for (const [partition, { settled }] of taken) {
        if (!partition.signal.aborted) continue;
        taken.delete(partition);
        for (const { resolve } of settled) resolve();
      }
      if (taken.size === 0) continue;
      try {
        await send(new Map(Array.from(taken, ([{ id }, { offset }]) => [id, offset])));
        for (const { settled } of taken.values()) for (const { resolve } of settled) resolve();
      } catch (error) {
        for (const [partition, { offset, settled }] of taken) {
          if (stopping.signal.aborted) for (const { reject } of settled) reject(error);
          else add(partition, offset, settled);
        }
        await sleep(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
    running = null;
  };

  return {
    commit: (partition, offset) =>
      new Promise((resolve, reject) => {
        add(partition, offset, [{ resolve, reject }]);
        running ??= run();
      }),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
