/** What the producer knows of a hook, to hold against what the consumer got. */
export interface Sent {
  readonly tenant: string | null;
  /** Digest of the body as it arrived, taken before anything of sinkwire saw it. */
  readonly sha256: string;
  readonly flagged: boolean;
}

/** Counts of one tenant, or of all. */
export interface Counts {
  /** Webhooks received, replays included. */
  hooks: number;
  inline: number;
  claims: number;
  /** Body bytes. */
  bytes: number;
  /** Request headers that are not forwarded: credentials and what belongs to the connection. */
  droppedHeaders: number;
  /** Deliveries that were no message, or not of the hook that the metadata names. */
  refused: number;
  /** Deliveries of a hook that was handled before. */
  duplicates: number;
}

/** What the producer did on purpose, so that the consumer has to find exactly that. */
export interface Staged {
  redelivered: number;
  /** Delivered twice, and the broker knew it. */
  deduplicated: number;
  damaged: number;
  replays: number;
  flagged: number;
}

/** Everything that is counted and compared in one run. */
export class Ledger {
  /** By idempotency key, replays apart. */
  readonly sent: Map<string, Sent> = new Map();
  readonly handled: Set<string> = new Set();
  readonly tenants: Map<string, Counts> = new Map();
  readonly staged: Staged = { redelivered: 0, deduplicated: 0, damaged: 0, replays: 0, flagged: 0 };
  readonly seen: { replays: number; flagged: number } = { replays: 0, flagged: 0 };
  readonly losses: string[] = [];

  /** The counts of a tenant; null is the row of hooks, or of deliveries, without one. */
  of(tenant: string | null): Counts {
    const name = tenant ?? "–";
    let counts = this.tenants.get(name);
    if (counts === undefined) {
      counts = { hooks: 0, inline: 0, claims: 0, bytes: 0, droppedHeaders: 0, refused: 0, duplicates: 0 };
      this.tenants.set(name, counts);
    }
    return counts;
  }

  /** The sum over all tenants. */
  total(): Counts {
    const total: Counts = { hooks: 0, inline: 0, claims: 0, bytes: 0, droppedHeaders: 0, refused: 0, duplicates: 0 };
    for (const counts of this.tenants.values()) {
      for (const name of Object.keys(total) as (keyof Counts)[]) total[name] += counts[name];
    }
    return total;
  }

  /** Holds what was read against what was sent. Call it once, at the end. */
  settle(): void {
    for (const key of this.sent.keys()) if (!this.handled.has(key)) this.losses.push(`${key} never arrived`);
    const { refused, duplicates } = this.total();
    this.#expect("refused deliveries", refused, this.staged.damaged);
    this.#expect("duplicates", duplicates, this.staged.redelivered);
    this.#expect("replays", this.seen.replays, this.staged.replays);
    this.#expect("flagged hooks", this.seen.flagged, this.staged.flagged);
  }

  #expect(what: string, got: number, expected: number): void {
    if (got !== expected) this.losses.push(`${got} ${what} instead of ${expected}`);
  }
}
