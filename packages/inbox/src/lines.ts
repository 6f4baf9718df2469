import type { Outcome } from "./outcome.js";
import { releases, unrun } from "./outcome.js";
import type { GateAnswer, LogMessage } from "./store.js";

/** Ids that are this instance's until its commit has answered. */
export interface OwnRange {
  readonly token: string;
  readonly low: bigint;
  readonly high: bigint;
  /** Own ranges without a gap between them have the same number. */
  readonly segment: number;
  readonly openedAt: number;
  /** On the monotonic clock, counted from before it was granted. */
  endsAt: number;
  readonly entries: Entry[];
  /** `closing`: its commit is under way; nothing of it starts. `lost`: it is somebody else's, or was never closed here. */
  state: "open" | "closing" | "lost" | "closed";
}

/** A message of an own range. */
export interface Entry {
  readonly message: LogMessage;
  readonly range: OwnRange;
  /** `queued`: it may start. */
  state: "waiting" | "queued" | "running" | "done";
  outcome: Outcome | null;
  /** A lower message of its key was lost with its range: whatever it does, it has to run again behind that one. */
  tainted: boolean;
}

/** A key lease that this instance holds. */
export interface KeyLease {
  readonly token: string;
  readonly fence: bigint;
  endsAt: number;
}

/** Longest pause before a parked message is checked again. */
const MAX_WAIT_MS = 200;
const FIRST_WAIT_MS = 10;
const NEVER_RAN = { attempts: 0, delays: 0 };

/** What becomes of a message that a chain leaves unrun: only an ordered one waits for a resolution. */
export function leftUnrun(entry: Entry): Outcome {
  return unrun(entry.message.policy === "ordered" ? "deferred" : "ready", NEVER_RAN);
}

/** The messages of one key in all own ranges, and the lease under which they run one after another. */
export class Line {
  readonly key: string;
  /** By id. Those that have an outcome stay until the commit of their range has answered. */
  readonly entries: Entry[] = [];
  lease: KeyLease | null = null;
  /** The segment in which an ordered message was checked: those behind it there need no check of their own. */
  segment: number | null = null;
  running: Entry | null = null;
  /** The chain has ended, or its release is under way: nothing starts under the lease any more. */
  ended = false;
  /** A gate was asked and has not answered. */
  asking = false;
  /** The token of an acquisition whose answer is still to come: a repetition asks with the same. */
  asked: string | null = null;
  /** The message that a gate let through last. */
  checked: Entry | null = null;
  /** Asking again is no use before. On the monotonic clock. */
  retryAt = 0;
  waitMs = 0;

  constructor(key: string) {
    this.key = key;
  }

  add(entry: Entry): void {
    const before = this.entries.findLastIndex(({ message }) => message.id < entry.message.id);
    this.entries.splice(before + 1, 0, entry);
  }

  /** A range with this id was lost: the ordered messages behind it in other ranges have to run again; which those are. */
  taint(range: OwnRange, id: bigint): Entry[] {
    const behind = this.entries.filter(
      (one) => one.range !== range && one.message.id > id && one.message.policy === "ordered",
    );
    for (const entry of behind) {
      entry.tainted = true;
      if (entry.outcome !== null) finish(entry, entry.outcome);
    }
    return behind;
  }

  /** A range was closed. `given`: the lease was given back with it, or went to a row. */
  closed(range: OwnRange, { given }: { readonly given: boolean }): void {
    if (this.running?.range === range) this.running = null;
    if (given) {
      this.lease = null;
      this.segment = null;
    }
    if (this.lease === null && this.running === null) this.ended = false;
    this.remove(range);
  }

  remove(range: OwnRange): void {
    const rest = this.entries.filter((entry) => entry.range !== range);
    this.entries.splice(0, Infinity, ...rest);
  }

  get isIdle(): boolean {
    return this.running === null && this.entries.every(({ state }) => state === "done");
  }

  /**
   * The next message of the chain, as far as this instance can tell: ordered ones behind an unresolved one of its own get
   * their outcome here. Null when there is none, or it waits for one of its own that runs.
   */
  next(): Entry | null {
    if (this.running !== null || this.asking || this.ended) return null;
    for (const [index, entry] of this.entries.entries()) {
      const { state, message, range } = entry;
      if (state !== "waiting" || message.policy === "parallel" || range.state !== "open") continue;
      if (message.policy === "exclusive") return entry;
      const before = this.entries.slice(0, index);
      if (before.some((one) => one.outcome === null)) return null;
      if (before.every((one) => one.outcome !== null && releases(one.outcome))) return entry;
      finish(entry, leftUnrun(entry));
    }
    return null;
  }

  /**
   * Takes a gate's answer.
   *
   * @param entry - the message that was asked for, and `token`, under which
   * @param at - `endsAt`: of a lease that was granted; `now`
   */
  answer(
    entry: Entry,
    token: string,
    { verdict, fence }: GateAnswer,
    at: { readonly endsAt: number; readonly now: number },
  ): void {
    this.asking = false;
    this.asked = null;
    const stands = entry.state === "waiting" && entry.range.state === "open";
    if (verdict === "run" && fence !== null) {
      this.lease = { token, fence, endsAt: at.endsAt };
      // Only an ordered message's check looks at predecessors; and what was settled or lost meanwhile is not what was checked.
      this.segment = stands && entry.message.policy === "ordered" ? entry.range.segment : null;
      this.checked = entry;
      this.waitMs = 0;
      return;
    }
    this.lease = null;
    this.segment = null;
    const superseded = verdict === "superseded";
    if (stands && (superseded || verdict === "predecessor_retry")) {
      finish(entry, superseded ? unrun("superseded", NEVER_RAN) : leftUnrun(entry));
    } else this.waitMs = Math.min(Math.max(this.waitMs * 2, FIRST_WAIT_MS), MAX_WAIT_MS);
    this.retryAt = at.now + this.waitMs;
  }

  /** Whether the key's lease, and every own range with a lower id of the key, lasts beyond this. */
  holds(id: bigint, limit: number): boolean {
    if (this.lease === null || this.lease.endsAt <= limit) return false;
    return this.entries.every(({ message, range }) => message.id >= id || range.endsAt > limit);
  }

  /** Nothing of the chain runs any more: those that wait get their rows. */
  end(): void {
    this.ended = true;
    for (const entry of this.entries) {
      const { state, message, range } = entry;
      const waits = state === "waiting" || state === "queued";
      if (waits && message.policy !== "parallel" && range.state === "open") finish(entry, leftUnrun(entry));
    }
  }
}

/** Gives a message its outcome. */
export function finish(entry: Entry, outcome: Outcome): void {
  entry.state = "done";
  entry.outcome = entry.tainted ? unrun("deferred", NEVER_RAN) : outcome;
}

/** What becomes of an ordered message that declares compaction: its history would be lost. */
export function compactedOrdered(): Outcome {
  const error = "ordered_compacted: an ordered message cannot be compacted";
  return { status: "dead", holds: false, ...NEVER_RAN, delayMs: 0, error };
}
