import { planClosing } from "./closing.js";
import { compactedOrdered, type Entry, finish, type KeyLease, Line, leftUnrun, type OwnRange } from "./lines.js";
import { type Outcome, outcomeOf, type Result, releases, unrun } from "./outcome.js";
import { RowPath } from "./row-path.js";
import { type EngineOptions, lost, type RangeRun, type RowRun, type Run } from "./runs.js";
import type { ClaimedRange, ClaimedRow, GateItem, GroupStore, Release } from "./store.js";

const NEVER_RAN = { attempts: 0, delays: 0 };

/**
 * One instance of a group: its ranges, the chains of its keys and its rows. It decides; it has no timers and runs no handler.
 * What it asks of the database is one statement at each step.
 */
export class Engine {
  readonly #store: GroupStore;
  readonly #options: EngineOptions;
  readonly #ranges: OwnRange[] = [];
  readonly #lines = new Map<string, Line>();
  readonly #queue: Entry[] = [];
  readonly #rows: RowPath;
  readonly #running = new Map<Entry | ClaimedRow, Run>();
  /** Runs that were given up, whose handler has not returned: their keys are given back when it does. */
  readonly #abandoned = new Map<Run, Release>();
  #lastRange: OwnRange | null = null;
  /** Of a claim whose answer was lost: repeated, it brings the same range. */
  #claimToken: string | null = null;
  #segments = 0;

  constructor(store: GroupStore, options: EngineOptions) {
    this.#store = store;
    this.#options = options;
    this.#rows = new RowPath(store, options);
  }

  /** Messages that run at the moment. */
  get runs(): number {
    return this.#running.size;
  }

  /** Messages that may start. */
  get startable(): number {
    return this.#queue.length + this.#rows.waiting.length;
  }

  /**
   * Claims a range and what its keys need.
   *
   * @returns whether there was one
   */
  async claim(): Promise<boolean> {
    const { batchSize, maxRanges, leaseMs, now, randomToken } = this.#options;
    this.#claimToken ??= randomToken();
    const token = this.#claimToken;
    const startedAt = now();
    const claimed = await this.#store.claim(token, batchSize, this.#ranges.length < maxRanges);
    this.#claimToken = null;
    if (claimed === null) return false;
    for (const range of [...this.#ranges]) if (range.low === claimed.low) await this.#lose(range);
    this.#open(claimed, token, startedAt + leaseMs);
    await this.gate();
    return true;
  }

  /** Asks for the keys whose next message waits for nothing that this instance knows of. */
  async gate(): Promise<void> {
    const { leaseMs, now, randomToken } = this.#options;
    const asked: { line: Line; entry: Entry; item: GateItem }[] = [];
    for (const line of this.#lines.values()) {
      if (line.retryAt > now()) continue;
      const entry = this.#advance(line);
      if (entry === null) continue;
      const { id, policy, compacted } = entry.message;
      line.asked ??= line.lease?.token ?? randomToken();
      asked.push({ line, entry, item: { key: line.key, id, policy, compacted, token: line.asked } });
      line.asking = true;
    }
    if (asked.length === 0) return;
    const startedAt = now();
    const own = this.#ranges.map(({ token }) => token);
    const items = asked.map(({ item }) => item).sort((a, b) => (a.key < b.key ? -1 : 1));
    const verdicts = await this.#store.gate(items, own).catch((error: unknown) => {
      for (const { line } of asked) line.asking = false;
      throw error;
    });
    for (const { line, entry, item } of asked) {
      const answer = verdicts.get(item.key) ?? { verdict: "key_lease_live", fence: null };
      line.answer(entry, item.token, answer, { endsAt: startedAt + leaseMs, now: now() });
    }
    for (const { line } of asked) await this.#goOn(line);
  }

  /** Rows that may run, at most this many. */
  claimRows(limit: number): Promise<number> {
    return this.#rows.claim(limit);
  }

  /** Rows whose leases ended have failed, and lost wake-ups are made up for. */
  mend(): Promise<void> {
    return this.#store.mend(this.#options, this.#options.batchSize);
  }

  /**
   * The next message to run. Null when there is none, or its leases end too soon.
   */
  start(): Run | null {
    const row = this.#rows.take();
    if (row !== null) {
      this.#running.set(row.row, row);
      return row;
    }
    for (let index = 0; index < this.#queue.length; index++) {
      const entry = this.#queue[index] as Entry;
      if (!this.#holds(entry)) continue;
      this.#queue.splice(index, 1);
      entry.state = "running";
      const { message } = entry;
      const lease = message.policy === "parallel" ? null : (this.#lines.get(message.key as string)?.lease ?? null);
      const run: RangeRun = {
        ...{ message, entry, row: null, attempt: 0, lost: new AbortController() },
        ...{ fence: lease?.fence ?? 0n, token: lease?.token ?? null },
      };
      this.#running.set(entry, run);
      return run;
    }
    return null;
  }

  /**
   * Takes what a handler did.
   *
   * @param options - `returned`: false when it was given up and has not returned, see {@link Engine.returned}
   */
  async finish(run: Run, result: Result, options: { readonly returned: boolean } = { returned: true }): Promise<void> {
    const { entry, row } = run as RangeRun | RowRun;
    if (this.#running.get(entry ?? row) !== run) return;
    this.#running.delete(entry ?? row);
    const key = run.message.key;
    if (!options.returned && key !== null && run.token !== null) this.#abandoned.set(run, { key, token: run.token });
    if (row !== null) return this.#rows.finish(row, outcomeOf(result, row, this.#options), options.returned);
    if (entry.range.state === "lost") return options.returned ? this.returned(run) : undefined;
    finish(entry, outcomeOf(result, NEVER_RAN, this.#options));
    const line = key === null ? undefined : this.#lines.get(key);
    if (line === undefined) return;
    if (line.running === entry) {
      line.running = null;
      if (!options.returned) line.lease = null;
      if (!options.returned || !releases(entry.outcome as Outcome)) line.end();
    }
    await this.#goOn(line);
  }

  /** A handler that was given up has returned: its key is free. */
  async returned(run: Run): Promise<void> {
    const release = this.#abandoned.get(run);
    this.#abandoned.delete(run);
    if (release !== undefined) await this.#store.releaseKey(release);
  }

  /** Commits the lowest open range when all its messages have an outcome; whether it did. Ranges go in their order. */
  async commit(): Promise<boolean> {
    const range = this.#lowest();
    if (range === null || !range.entries.every(({ state }) => state === "done")) return false;
    await this.#close(range);
    return true;
  }

  /** Closes the lowest range although handlers run, if it was opened this long ago; whether it did. */
  async settle(afterMs: number): Promise<boolean> {
    const range = this.#lowest();
    if (range === null || this.#options.now() - range.openedAt < afterMs) return false;
    for (const entry of range.entries) {
      if (entry.state === "running" || entry.state === "done") continue;
      const line = entry.message.key === null ? undefined : this.#lines.get(entry.message.key);
      if (line?.running === entry) this.#cut(line);
      else this.#drop(entry);
    }
    await this.#close(range);
    return true;
  }

  /** Leaves what has not started to others, with nothing spent; what runs may finish. Nothing starts afterwards. */
  async stop(): Promise<void> {
    while (await this.settle(0));
    await this.#rows.stop();
  }

  /** Renews the leases of ranges and running handlers. */
  async renew(): Promise<void> {
    const { leaseMs, now } = this.#options;
    const startedAt = now();
    const lines = [...this.#lines.values()].filter((line) => line.lease !== null && !line.asking);
    const held = lines.map((line) => [line, line.lease as KeyLease] as const);
    const ranges = this.#ranges.filter(({ state }) => state === "open");
    const rows = [...this.#running.values()].filter((run): run is RowRun => (run as RowRun).row !== null);
    rows.push(...this.#rows.waiting);
    if (ranges.length + held.length + rows.length === 0) return;
    const keys = [...held.map(([line]) => line.key), ...rows.flatMap(({ message }) => message.key ?? [])];
    const tokens = [...held.map(([, lease]) => lease.token), ...rows.map(({ row }) => row.token)];
    const alive = await this.#store.renew(
      ranges.map(({ token }) => token),
      [...new Set(keys)],
      tokens,
    );
    for (const range of ranges) {
      if (alive.has(range.token)) range.endsAt = startedAt + leaseMs;
      else if (range.state === "open") await this.#lose(range);
    }
    for (const [line, lease] of held) {
      if (line.lease !== lease) continue;
      if (alive.has(lease.token)) lease.endsAt = startedAt + leaseMs;
      else this.#loseKey(line);
    }
    for (const run of rows) {
      if (alive.has(run.row.token)) run.endsAt = startedAt + leaseMs;
      else if (!this.#rows.drop(run)) run.lost.abort(lost());
    }
  }

  #open(claimed: ClaimedRange, token: string, endsAt: number): void {
    const { low, high, messages } = claimed;
    const last = this.#lastRange;
    const goesOn = last !== null && claimed.reclaims === 0 && last.high === low && last.state !== "lost";
    const segment = goesOn ? last.segment : ++this.#segments;
    const openedAt = this.#options.now();
    const range: OwnRange = { token, low, high, segment, openedAt, endsAt, entries: [], state: "open" };
    if (claimed.reclaims === 0) this.#lastRange = range;
    this.#ranges.push(range);
    this.#ranges.sort((a, b) => (a.low < b.low ? -1 : 1));
    for (const message of messages) {
      const entry: Entry = { message, range, state: "waiting", outcome: null, tainted: false };
      range.entries.push(entry);
      if (message.key !== null) this.#line(message.key).add(entry);
      if (message.policy === "ordered" && message.compacted) finish(entry, compactedOrdered());
      else if (message.policy === "parallel") this.#enqueue(entry);
    }
  }

  /** Queues the next message of a chain when that needs no check; else tells which one a gate has to be asked for. */
  #advance(line: Line): Entry | null {
    const entry = line.next();
    if (entry === null || line.lease === null) return entry;
    const { policy } = entry.message;
    if (policy === "ordered" && line.segment !== entry.range.segment) return entry;
    // Whether it is still its key's head, only the database can tell.
    if (entry.message.compacted && line.checked !== entry) return entry;
    line.running = entry;
    this.#enqueue(entry);
    return null;
  }

  /** After an event of a line: its next message, and the key when nothing of it is left here. */
  async #goOn(line: Line): Promise<void> {
    if (line.entries.length > 0) {
      this.#advance(line);
      return;
    }
    if (!line.isIdle || line.asking) return;
    if (this.#lines.get(line.key) === line) this.#lines.delete(line.key);
    const { lease } = line;
    line.lease = null;
    if (lease !== null) await this.#store.releaseKey({ key: line.key, token: lease.token });
  }

  /** Ends of the key's lease, of the own range and of own ranges with a lower id of the key are far enough away. */
  #holds(entry: Entry): boolean {
    const { now, marginMs } = this.#options;
    const limit = now() + marginMs;
    const { message, range } = entry;
    if (range.endsAt <= limit) return false;
    return message.policy === "parallel" || this.#line(message.key as string).holds(message.id, limit);
  }

  async #close(range: OwnRange): Promise<void> {
    range.state = "closing";
    const { rows, keys, release, given, left } = planClosing(range, {
      runOf: (entry) => this.#running.get(entry) as RangeRun,
      lineOf: (key) => this.#line(key),
      randomToken: this.#options.randomToken,
    });
    const committed = await this.#store.commitRange(range.token, rows, [...keys], release).catch((error: unknown) => {
      range.state = "open";
      throw error;
    });
    if (!committed) return this.#lose(range);
    range.state = "closed";
    this.#ranges.splice(this.#ranges.indexOf(range), 1);
    const late: (() => Promise<void>)[] = [];
    for (const { run, token } of left) {
      const row: ClaimedRow = { ...run.message, token, fence: run.fence, attempts: 0, delays: 0 };
      late.push(...this.#becomeRow(run, row));
    }
    for (const key of keys) {
      const line = this.#line(key);
      line.closed(range, { given: given.has(line) });
      await this.#goOn(line);
    }
    for (const work of late) await work();
  }

  /** A run whose range was settled goes on as a row's. What it did while that was written is written now. */
  #becomeRow(run: RangeRun, row: ClaimedRow): (() => Promise<void>)[] {
    const { entry } = run;
    if (this.#running.get(entry) === run) {
      this.#running.delete(entry);
      Object.assign(run, { entry: null, row, endsAt: entry.range.endsAt });
      this.#running.set(row, run);
      return [];
    }
    const outcome = entry.outcome ?? unrun("ready", NEVER_RAN);
    return [() => this.#rows.finish(row, outcome, !this.#abandoned.has(run))];
  }

  /** A range is somebody else's: every chain with a message in it ends, and what ran behind those has to run again. */
  async #lose(range: OwnRange): Promise<void> {
    range.state = "lost";
    const at = this.#ranges.indexOf(range);
    if (at !== -1) this.#ranges.splice(at, 1);
    const lines = new Set<Line>();
    for (const entry of range.entries) {
      this.#dequeue(entry);
      const run = this.#running.get(entry);
      run?.lost.abort(lost());
      const { key, id } = entry.message;
      if (key === null) continue;
      const line = this.#line(key);
      lines.add(line);
      for (const later of line.taint(range, id)) this.#running.get(later)?.lost.abort(lost());
      if (line.running !== entry) continue;
      line.running = null;
      // Its handler still runs: the key is given back when it returns.
      if (run !== undefined && line.lease !== null) {
        this.#abandoned.set(run, { key, token: line.lease.token });
        line.lease = null;
      }
    }
    for (const line of lines) {
      this.#cut(line);
      line.remove(range);
      await this.#goOn(line);
    }
  }

  /** The key is somebody else's: what runs has to stop, and nothing starts without a new acquisition. */
  #loseKey(line: Line): void {
    if (line.running !== null) this.#running.get(line.running)?.lost.abort(lost());
    line.lease = null;
    this.#cut(line);
  }

  /** Ends a chain; what may have started of it does not. */
  #cut(line: Line): void {
    const { running } = line;
    if (running?.state === "queued") {
      line.running = null;
      this.#drop(running);
    }
    line.end();
  }

  #drop(entry: Entry): void {
    this.#dequeue(entry);
    finish(entry, leftUnrun(entry));
  }

  #lowest(): OwnRange | null {
    const [range] = this.#ranges;
    return range?.state === "open" ? range : null;
  }

  #line(key: string): Line {
    const line = this.#lines.get(key) ?? new Line(key);
    this.#lines.set(key, line);
    return line;
  }

  #enqueue(entry: Entry): void {
    entry.state = "queued";
    this.#queue.push(entry);
  }

  #dequeue(entry: Entry): void {
    const at = this.#queue.indexOf(entry);
    if (at !== -1) this.#queue.splice(at, 1);
  }
}
