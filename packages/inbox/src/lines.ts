import type { Outcome } from "./outcome.js";
import { releases, unrun } from "./outcome.js";
import type { LogMessage } from "./store.js";

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
