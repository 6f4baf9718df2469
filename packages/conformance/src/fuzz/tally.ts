import type { RunnerRequest } from "../take-turn.js";
import type { Examined, Finding } from "./examine.js";

/** Inputs of one operation, by the first implementation's answer. */
export interface FuzzCounts {
  readonly operation: string;
  readonly inputs: number;
  readonly accepted: number;
  readonly refused: number;
  readonly findings: number;
}

/** Counts of a run, and one finding of each kind. */
export class Tally {
  readonly #counts = new Map<string, { inputs: number; accepted: number; refused: number; findings: number }>();
  readonly #bySignature = new Map<string, { readonly index: number; readonly finding: Finding }>();
  inputs = 0;
  followUps = 0;

  /** How many kinds of findings there are. */
  get kinds(): number {
    return this.#bySignature.size;
  }

  /** Of each kind the one with the lowest index, in order of index. */
  get findings(): readonly Finding[] {
    return [...this.#bySignature.values()].sort((a, b) => a.index - b.index).map(({ finding }) => finding);
  }

  /** By operation, the most frequent one first. */
  get counts(): readonly FuzzCounts[] {
    return [...this.#counts]
      .map(([operation, count]) => ({ operation, ...count }))
      .sort((a, b) => b.inputs - a.inputs || (a.operation < b.operation ? -1 : 1));
  }

  /** Adds a batch, whose request ids are indexes. */
  add(requests: readonly RunnerRequest[], { verdicts, findings, followUps }: Examined): void {
    this.inputs += requests.length;
    this.followUps += followUps;
    for (const { id, operation } of requests) {
      const count = this.#counts.get(operation) ?? { inputs: 0, accepted: 0, refused: 0, findings: 0 };
      this.#counts.set(operation, count);
      count.inputs += 1;
      const verdict = verdicts.get(id);
      if (verdict === "accepted") count.accepted += 1;
      if (verdict === "refused") count.refused += 1;
      const finding = findings.get(id);
      if (finding === undefined) continue;
      count.findings += 1;
      const index = Number(id);
      const earlier = this.#bySignature.get(finding.signature);
      if (earlier === undefined || index < earlier.index) this.#bySignature.set(finding.signature, { index, finding });
    }
  }
}
