import { quoteSchema, retryConflicts, type SqlClient, type SqlResult } from "@sinkwire/postgres";
import type { Outcome, RetryRules } from "./outcome.js";
import { type Policy, resolvePolicy } from "./policy.js";

/** A message as a group reads it. */
export interface LogMessage {
  readonly id: bigint;
  readonly key: string | null;
  readonly policy: Policy;
  readonly compacted: boolean;
  readonly payload: Uint8Array;
  /** Unix milliseconds. */
  readonly createdMs: number;
}

/** Ids that are this worker's: above `low`, up to `high`. */
export interface ClaimedRange {
  readonly low: bigint;
  readonly high: bigint;
  readonly reclaims: number;
  readonly messages: readonly LogMessage[];
}

/** A row that is this worker's, and runs. `fence` is null without a key lease. */
export interface ClaimedRow extends LogMessage {
  readonly token: string;
  readonly fence: bigint | null;
  readonly attempts: number;
  readonly delays: number;
}

/** Why a message of a key cannot run. */
export type GateVerdict = "run" | "superseded" | "key_lease_live" | "predecessor_retry" | "predecessor_in_open_range";

/** What a gate tells of a key: `fence` is that of the lease, where one was granted. */
export interface GateAnswer {
  readonly verdict: GateVerdict;
  readonly fence: bigint | null;
}

/** A key lease that is asked for, and the message that is to run under it. */
export interface GateItem {
  readonly key: string;
  readonly id: bigint;
  readonly policy: Policy;
  readonly compacted: boolean;
  readonly token: string;
}

/** A row that a range leaves behind. `token` is that of a handler which still runs. */
export interface RangeRow {
  readonly id: bigint;
  readonly key: string | null;
  readonly policy: Policy;
  readonly outcome: Exclude<Outcome, { status: "succeeded" }> | { readonly status: "inflight"; readonly token: string };
}

/** A key that is given back. */
export interface Release {
  readonly key: string;
  readonly token: string;
}

/** What of a group its statements need. */
export interface GroupSettings {
  readonly policyOverride: Policy | null;
  readonly defaultPolicy: Policy | null;
  /** Length of every lease, in milliseconds. */
  readonly leaseMs: number;
}

type Row = SqlResult["rows"][number];

/** A group's statements, each one transaction. A conflict with others is tried again. */
export class GroupStore {
  readonly #client: SqlClient;
  readonly #schema: string;
  readonly #group: number;
  readonly #settings: GroupSettings;

  constructor(client: SqlClient, schema: string, group: number, settings: GroupSettings) {
    this.#client = client;
    this.#schema = quoteSchema(schema);
    this.#group = group;
    this.#settings = settings;
  }

  /** The range of this token, else an expired one, else, when `open` is set, the next. Null when there is none. */
  async claim(token: string, batch: number, open: boolean): Promise<ClaimedRange | null> {
    const { leaseMs, policyOverride, defaultPolicy } = this.#settings;
    const rows = await this.#call("claim", [token, batch, leaseMs, open, policyOverride, defaultPolicy]);
    const [first] = rows;
    if (first === undefined) return null;
    return {
      low: BigInt(first["low"] as string),
      high: BigInt(first["high"] as string),
      reclaims: Number(first["reclaims"]),
      messages: rows.filter((row) => row["id"] !== null).map((row) => this.#message(row, this.#policyOf(row))),
    };
  }

  /** Takes key leases, one for each item; those that wait hold none. `own`: the tokens of the caller's ranges. */
  async gate(items: readonly GateItem[], own: readonly string[]): Promise<Map<string, GateAnswer>> {
    const json = JSON.stringify(items.map((item) => ({ ...item, id: String(item.id) })));
    const rows = await this.#call("gate", [json, own, this.#settings.leaseMs]);
    const verdicts = rows.map((row) => {
      const fence = row["fence"] === null ? null : BigInt(row["fence"] as string);
      return [row["message_key"] as string, { verdict: row["verdict"] as GateVerdict, fence }] as const;
    });
    return new Map(verdicts);
  }

  /** Closes a range. False, and nothing is written, when it is somebody else's by now. */
  async commitRange(
    token: string,
    rows: readonly RangeRow[],
    keys: readonly string[],
    release: readonly Release[],
  ): Promise<boolean> {
    const json = JSON.stringify(rows.map((row) => this.#rangeRow(row)));
    const [answer] = await this.#call("commit_range", [token, json, keys, JSON.stringify(release)]);
    return answer?.["commit_range"] === true;
  }

  /** Renews leases; the tokens that are still held come back. `keys`: those of the tokens, where they have one. */
  async renew(ranges: readonly string[], keys: readonly string[], tokens: readonly string[]): Promise<Set<string>> {
    const rows = await this.#call("renew", [ranges, keys, tokens, this.#settings.leaseMs]);
    return new Set(rows.map((row) => row["token"] as string));
  }

  /** Rows that may run, at most as many as there are tokens. */
  async claimRows(tokens: readonly string[]): Promise<ClaimedRow[]> {
    return (await this.#call("claim_rows", [tokens, this.#settings.leaseMs])).map((row) => this.#claimedRow(row));
  }

  /**
   * Writes what became of a row. `chain`: the message behind it may go on; `keep`: its key is not given back yet.
   *
   * @returns `lost` when the row is somebody else's, else the message that runs next under the same token, or null
   */
  async finishRow(
    row: Pick<ClaimedRow, "id" | "key" | "token">,
    outcome: Outcome,
    options: { readonly chain: boolean; readonly keep: boolean },
  ): Promise<ClaimedRow | null | "lost"> {
    const given = outcome.status === "succeeded" ? null : outcome;
    const [answer] = await this.#call("finish_row", [
      ...[String(row.id), row.key, row.token, given?.status ?? null, given?.holds ?? false, given?.attempts ?? 0],
      ...[given?.delays ?? 0, given?.delayMs ?? 0, given?.error ?? null, options.chain, options.keep],
      this.#settings.leaseMs,
    ]);
    if (answer === undefined) return "lost";
    return answer["id"] === null ? null : this.#claimedRow(answer);
  }

  /** Gives a key back outside of a range's commit. */
  async releaseKey({ key, token }: Release): Promise<void> {
    await this.#call("release_key", [key, token]);
  }

  /** Rows whose lease ended have failed. Then deferred ones whose wake-up was lost. */
  async mend(rules: RetryRules, limit: number): Promise<void> {
    await this.#call("expire_rows", [limit, rules.maxRetries, rules.retryBaseMs, rules.onDead === "hold"]);
    await this.#call("wake_lost", [limit]);
  }

  /** Deletes the rows of idle keys; how many. */
  async sweepKeys(limit: number): Promise<number> {
    return Number((await this.#call("sweep_keys", [limit]))[0]?.["sweep_keys"]);
  }

  /** Moves the group's cursor and tells it: every id up to it is resolved. */
  async advanceCursor(): Promise<bigint> {
    return BigInt((await this.#call("advance_cursor", []))[0]?.["advance_cursor"] as string);
  }

  #call(name: string, values: readonly unknown[]): Promise<SqlResult["rows"]> {
    const places = [...values.keys()].map((index) => `$${index + 2}`);
    const text = `SELECT * FROM ${this.#schema}.${name}(${["$1", ...places].join(", ")})`;
    return retryConflicts(async () => (await this.#client.query(text, [this.#group, ...values])).rows);
  }

  #message(row: Row, policy: Policy): LogMessage {
    return {
      id: BigInt(row["id"] as string),
      key: row["message_key"] as string | null,
      policy,
      compacted: row["compacted"] as boolean,
      payload: row["payload"] as Uint8Array,
      createdMs: Number(row["created_ms"]),
    };
  }

  #claimedRow(row: Row): ClaimedRow {
    return {
      ...this.#message(row, row["policy"] as Policy),
      token: row["token"] as string,
      fence: row["fence"] === null ? null : BigInt(row["fence"] as string),
      attempts: Number(row["attempts"]),
      delays: Number(row["delays"]),
    };
  }

  #policyOf(row: Row): Policy {
    return resolvePolicy({
      key: row["message_key"] as string | null,
      override: this.#settings.policyOverride,
      own: row["concurrency"] as Policy | null,
      fallback: this.#settings.defaultPolicy,
    });
  }

  #rangeRow({ id, key, policy, outcome }: RangeRow): Readonly<Record<string, unknown>> {
    const row = { id: String(id), key, policy, status: outcome.status };
    if (outcome.status === "inflight") {
      const { token } = outcome;
      const counters = { holds: false, attempts: 0, delays: 0, delay_ms: 0 };
      return { ...row, ...counters, token, lease_ms: this.#settings.leaseMs };
    }
    const { holds, attempts, delays, delayMs, error } = outcome;
    return { ...row, holds, attempts, delays, delay_ms: delayMs, error };
  }
}
