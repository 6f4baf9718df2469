import type { Outcome } from "./part.js";

/** How many of the slowest parts are listed. */
const SLOWEST = 10;

/** The line that is printed when a part has ended. */
export function partLine(outcome: Outcome): string {
  const { name, ok, counts, skipped, durationMs } = outcome;
  if (skipped !== null) return `skipped: ${name}: ${skipped}`;
  const tests = counts.passed + counts.failed;
  const counted = tests === 0 ? "" : `, ${counts.passed} of ${tests}`;
  const left = counts.skipped === 0 ? "" : `, ${counts.skipped} skipped`;
  return `${ok ? "ok" : "FAILED"}: ${name} (${seconds(durationMs)}${counted}${left})`;
}

/** The lines of a part's output that it wants shown when it passes as well: those that begin with `note: `. */
export function notes(outcome: Outcome): string[] {
  return outcome.output.split("\n").filter((line) => line.startsWith("note: "));
}

/** What is printed when all parts have ended: the slowest, what was skipped, and last the line `N passed, N failed`. */
export function summary(outcomes: readonly Outcome[]): string {
  const ran = outcomes.filter((outcome) => outcome.skipped === null);
  const slowest = [...ran].sort((a, b) => b.durationMs - a.durationMs).slice(0, SLOWEST);
  const total = (kind: "passed" | "failed"): number => outcomes.reduce((sum, { counts }) => sum + counts[kind], 0);
  return [
    "",
    `Slowest of ${ran.length} parts`,
    ...slowest.map(({ name, durationMs }) => `${seconds(durationMs).padStart(9)}  ${name}`),
    ...outcomes.filter(({ skipped }) => skipped !== null).map(partLine),
    ...outcomes.filter(({ ok }) => !ok).map(({ name }) => `failed: ${name}`),
    `${total("passed")} passed, ${total("failed")} failed`,
  ].join("\n");
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
