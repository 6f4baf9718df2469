import { setTimeout as sleep } from "node:timers/promises";
import { listenForWakeups, quoteSchema, type SqlClient, type SqlPool, type Wakeups } from "@sinkwire/postgres";
import type { Stream } from "./append.js";
import { Engine } from "./engine.js";
import { InboxError, LeaseLostError } from "./errors.js";
import { openGroup } from "./inbox.js";
import { type Result, type RetryRules, resultOf } from "./outcome.js";
import type { Policy } from "./policy.js";
import type { Run } from "./runs.js";
import { wakeChannel } from "./sql/migrations.js";
import { GroupStore } from "./store.js";

/** What a handler gets. */
export interface InboxMessage {
  readonly id: bigint;
  readonly key: string | null;
  readonly payload: Uint8Array;
  /** 0 at the first run. */
  readonly attempt: number;
  /** Rises with every acquisition of the key; 0 without a key lease. */
  readonly fence: bigint;
  /** Aborted by the time-out, and when another worker may have the message. */
  readonly signal: AbortSignal;
  /**
   * Keeps the key for the rest of a transaction of the handler's: what it writes and the proof that it still holds the key
   * commit together.
   *
   * @param client - the connection of that transaction
   * @throws LeaseLostError when the key is another worker's by now, or the message has no key lease
   */
  guard(client: SqlClient): Promise<void>;
}

/** Handles one message. Returns: success. Throws: a failure, a `RetryAfter`, or what is not `retryable`, which is dead. */
export type InboxHandler = (message: InboxMessage) => unknown;

/** A worker of a group. */
export interface WorkerOptions extends Partial<RetryRules> {
  readonly schema: string;
  /** The group's name. */
  readonly group: string;
  /** Where the group starts if it is new. Default `start`. */
  readonly from?: "start" | "head";
  /** The policy of every message that has a key. Default: none. */
  readonly policyOverride?: Policy | null;
  /** The policy of messages that name none. Default: `parallel`. */
  readonly defaultPolicy?: Policy | null;
  /** Handlers at once. Default 16. */
  readonly concurrency?: number;
  /** Messages of a range. Default 100. */
  readonly batchSize?: number;
  /** Ranges that may be open at once. Default 4. */
  readonly maxRanges?: number;
  /** Length of a lease, in milliseconds. Default 30,000. */
  readonly leaseMs?: number;
  /** A range whose handlers still run is closed after so long. Default 1,000. */
  readonly settleAfterMs?: number;
  /** Longest pause between looks at the database. Default 1,000. */
  readonly pollMs?: number;
  /** A handler's signal is aborted after so long. Default 30,000. */
  readonly timeoutMs?: number;
  /** It counts as failed so long after that. Default 5,000. */
  readonly timeoutGraceMs?: number;
  /** How long a stop waits for handlers. Default 25,000. */
  readonly graceMs?: number;
  /** Told of errors of the database; the worker goes on. Default: nobody. */
  readonly onError?: (error: unknown) => void;
  /** Stops the worker in order: what has not started is left to others, with nothing spent. */
  readonly signal?: AbortSignal | undefined;
}

const ROWS_AT_ONCE = 16;

/**
 * Handles the messages of a stream for a group until it is stopped. Any number of workers, in any processes, share a group.
 *
 * @param pool - of a server with two connections or more, or of the embedded store
 * @param stream - what is read
 * @param handler - called for each message, at least once
 * @param options - the group and its rules
 * @returns when it was stopped and its handlers have returned, or `graceMs` have passed
 * @throws InvalidHookError for an option that cannot be used; the database's own error when it cannot start
 */
export async function runWorker(
  pool: SqlPool,
  stream: Stream,
  handler: InboxHandler,
  options: WorkerOptions,
): Promise<void> {
  const { schema, leaseMs = 30_000, policyOverride = null, defaultPolicy = null } = options;
  const group = await openGroup(pool, stream, options.group, options);
  const store = new GroupStore(pool, schema, group, { leaseMs, policyOverride, defaultPolicy });
  await new Worker(pool, store, group, handler, { ...options, leaseMs }).run();
}

class Worker {
  readonly #pool: SqlPool;
  readonly #group: number;
  readonly #handler: InboxHandler;
  readonly #options: WorkerOptions & { readonly leaseMs: number };
  readonly #engine: Engine;
  readonly #handlers = new Set<Promise<void>>();
  #stopping = false;
  #wake: () => void = () => {};
  #woken = false;

  constructor(
    pool: SqlPool,
    store: GroupStore,
    group: number,
    handler: InboxHandler,
    options: WorkerOptions & { readonly leaseMs: number },
  ) {
    this.#pool = pool;
    this.#group = group;
    this.#handler = handler;
    this.#options = options;
    this.#engine = new Engine(store, {
      batchSize: options.batchSize ?? 100,
      maxRanges: options.maxRanges ?? 4,
      leaseMs: options.leaseMs,
      marginMs: options.leaseMs / 10,
      maxRetries: options.maxRetries ?? 3,
      firstRetryMs: options.firstRetryMs ?? 5_000,
      retryBaseMs: options.retryBaseMs ?? 1_000,
      maxRetryMs: options.maxRetryMs ?? 300_000,
      onDead: options.onDead ?? "release",
      now: () => performance.now(),
      randomToken: () => crypto.randomUUID(),
    });
  }

  async run(): Promise<void> {
    const { schema, signal, graceMs = 25_000 } = this.#options;
    const stop = (): void => {
      this.#stopping = true;
      this.#notify();
    };
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
    const wakeups: Wakeups = listenForWakeups(this.#pool, {
      channel: wakeChannel(quoteSchema(schema)),
      onWake: (payload) => {
        if (payload === "" || payload === String(this.#group)) this.#notify();
      },
    });
    const keeping = this.#keep();
    try {
      while (!this.#stopping) await this.#look();
      await this.#attempt(() => this.#engine.stop());
      await Promise.race([Promise.allSettled(this.#handlers), sleep(graceMs, undefined, { ref: false })]);
    } finally {
      signal?.removeEventListener("abort", stop);
      this.#stopping = true;
      this.#notify();
      await keeping;
      await wakeups.close();
    }
  }

  /** Takes what there is to run, or waits for a wake-up or the poll. */
  async #look(): Promise<void> {
    const { concurrency = 16, pollMs = 1_000 } = this.#options;
    this.#woken = false;
    let found = false;
    const room = concurrency - this.#engine.runs - this.#engine.startable;
    if (room > 0) {
      await this.#attempt(async () => {
        found = (await this.#engine.claim()) || found;
        const rows = await this.#engine.claimRows(Math.min(room, ROWS_AT_ONCE));
        found = rows > 0 || found;
      });
    }
    this.#dispatch();
    await this.#commit();
    if (!found && !this.#woken && !this.#stopping) await this.#pause(pollMs);
  }

  /** Renews, settles and mends, beside whatever else goes on. */
  async #keep(): Promise<void> {
    const { leaseMs, settleAfterMs = 1_000 } = this.#options;
    const everyMs = Math.min(leaseMs / 4, settleAfterMs / 4);
    let renewedAt = performance.now();
    while (!this.#stopping || this.#engine.runs > 0) {
      await sleep(everyMs, undefined, { ref: false });
      if (this.#stopping && this.#handlers.size === 0) return;
      await this.#attempt(async () => {
        if (performance.now() - renewedAt > leaseMs / 4) {
          renewedAt = performance.now();
          await this.#engine.renew();
          if (!this.#stopping) await this.#engine.mend();
        }
        while (await this.#engine.settle(settleAfterMs));
        if (!this.#stopping) await this.#engine.gate();
      });
      this.#dispatch();
      await this.#commit();
    }
  }

  #dispatch(): void {
    const { concurrency = 16 } = this.#options;
    while (!this.#stopping && this.#engine.runs < concurrency) {
      const run = this.#engine.start();
      if (run === null) return;
      const handled = this.#handle(run).catch((error: unknown) => this.#options.onError?.(error));
      this.#handlers.add(handled);
      void handled.then(() => this.#handlers.delete(handled));
    }
  }

  async #handle(run: Run): Promise<void> {
    const { timeoutMs = 30_000, timeoutGraceMs = 5_000 } = this.#options;
    const timeOut = new AbortController();
    const abort = setTimeout(() => timeOut.abort(new InboxError("handler_failed", "the time-out")), timeoutMs);
    const over = new AbortController();
    const signal = AbortSignal.any([run.lost.signal, timeOut.signal]);
    const handling = this.#call(run, signal);
    const late = sleep(timeoutMs + timeoutGraceMs, null, { signal: over.signal }).catch(() => null);
    const result = await Promise.race([handling, late]);
    clearTimeout(abort);
    over.abort();
    if (result !== null) await this.#engine.finish(run, result);
    else {
      const error = `no end within ${timeoutMs + timeoutGraceMs} ms`;
      await this.#engine.finish(run, { kind: "failure", permanent: false, error }, { returned: false });
      void handling.then(() => this.#attempt(() => this.#engine.returned(run)));
    }
    this.#dispatch();
    await this.#commit();
    this.#notify();
  }

  async #call(run: Run, signal: AbortSignal): Promise<Result> {
    const { id, key, payload } = run.message;
    const { attempt, fence } = run;
    const guard = (client: SqlClient): Promise<void> => this.#guard(client, run);
    try {
      await this.#handler({ id, key, payload, attempt, fence, signal, guard });
      return { kind: "success" };
    } catch (error) {
      return resultOf(error);
    }
  }

  async #guard(client: SqlClient, { message, token }: Run): Promise<void> {
    const text = `SELECT ${quoteSchema(this.#options.schema)}.guard_key($1, $2, $3) AS held`;
    const { rows } = token === null ? { rows: [] } : await client.query(text, [this.#group, message.key, token]);
    if (rows[0]?.["held"] !== true) throw new LeaseLostError("the key of this message is not held any more");
  }

  #commit(): Promise<void> {
    return this.#attempt(async () => {
      while (await this.#engine.commit());
    });
  }

  /** An error of the database is told, and what it concerned is tried again at the next look. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#options.onError?.(error);
    }
  }

  #notify(): void {
    this.#woken = true;
    this.#wake();
  }

  async #pause(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = () => {};
  }
}
