import type { Line, OwnRange } from "./lines.js";
import type { RangeRun } from "./runs.js";
import type { RangeRow, Release } from "./store.js";

/** What closing a range writes. */
export interface Closing {
  readonly rows: RangeRow[];
  /** Of all its messages. */
  readonly keys: Set<string>;
  readonly release: Release[];
  /** Whose lease this instance no longer has afterwards, or has under a row. */
  readonly given: Set<Line>;
  /** Runs that go on, and the tokens of their rows. */
  readonly left: { readonly run: RangeRun; readonly token: string }[];
}

/**
 * What a range leaves behind: rows for what did not succeed, `inflight` ones for what runs, and the keys of chains that are
 * at their end. Nothing starts under those from here on.
 *
 * @param with - the runs and lines of the instance
 */
export function planClosing(
  range: OwnRange,
  from: {
    readonly runOf: (entry: OwnRange["entries"][number]) => RangeRun;
    readonly lineOf: (key: string) => Line;
    readonly randomToken: () => string;
  },
): Closing {
  const closing: Closing = { rows: [], keys: new Set(), release: [], given: new Set(), left: [] };
  for (const entry of range.entries) {
    const { id, key, policy } = entry.message;
    const { outcome } = entry;
    if (key !== null) closing.keys.add(key);
    if (outcome === null) {
      const run = from.runOf(entry);
      const token = run.token ?? from.randomToken();
      closing.left.push({ run, token });
      closing.rows.push({ id, key, policy, outcome: { status: "inflight", token } });
    } else if (outcome.status !== "succeeded") closing.rows.push({ id, key, policy, outcome });
  }
  for (const key of closing.keys) {
    const line = from.lineOf(key);
    const { running, lease } = line;
    if (lease === null || (running !== null && running.range !== range)) continue;
    if (running === null && !line.isIdle && !line.ended) continue;
    // A message that runs on keeps its key, under its row's lease; what is behind it starts anew.
    line.ended = true;
    closing.given.add(line);
    if (running === null) closing.release.push({ key, token: lease.token });
  }
  return closing;
}
