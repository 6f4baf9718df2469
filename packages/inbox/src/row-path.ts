import { type Outcome, releases, unrun } from "./outcome.js";
import type { EngineOptions, RowRun } from "./runs.js";
import type { ClaimedRow, GroupStore } from "./store.js";

/** The messages of one instance that run from their rows. */
export class RowPath {
  readonly #store: GroupStore;
  readonly #options: EngineOptions;
  /** Claimed, and not started. */
  readonly waiting: RowRun[] = [];
  #stopped = false;

  constructor(store: GroupStore, options: EngineOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** Claims rows that may run, at most this many; how many there were. */
  async claim(limit: number): Promise<number> {
    const { now, randomToken } = this.#options;
    const startedAt = now();
    const rows = await this.#store.claimRows(Array.from({ length: limit }, randomToken));
    for (const row of rows) this.#add(row, startedAt);
    return rows.length;
  }

  /** The next to start: one whose lease is long enough. */
  take(): RowRun | null {
    const { now, marginMs } = this.#options;
    const index = this.waiting.findIndex(({ endsAt }) => endsAt > now() + marginMs);
    return index === -1 ? null : (this.waiting.splice(index, 1)[0] ?? null);
  }

  /** Writes what became of a row. What is behind it goes on under the same token, if its handler has returned. */
  async finish(row: ClaimedRow, outcome: Outcome, returned: boolean): Promise<void> {
    const chain = !this.#stopped && returned && row.policy !== "parallel" && releases(outcome);
    const startedAt = this.#options.now();
    const next = await this.#store.finishRow(row, outcome, { chain, keep: !returned });
    if (next !== null && next !== "lost") this.#add(next, startedAt);
  }

  /** Forgets one that has not started; false when it has. */
  drop(run: RowRun): boolean {
    const index = this.waiting.indexOf(run);
    if (index !== -1) this.waiting.splice(index, 1);
    return index !== -1;
  }

  /** Gives back what has not started; chains end with what runs. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const { row } of this.waiting.splice(0)) await this.finish(row, unrun("ready", row), true);
  }

  #add(row: ClaimedRow, grantedAt: number): void {
    const token = row.policy === "parallel" ? null : row.token;
    const run = { message: row, entry: null, row, attempt: row.attempts, fence: row.fence ?? 0n, token };
    this.waiting.push({ ...run, endsAt: grantedAt + this.#options.leaseMs, lost: new AbortController() });
  }
}
