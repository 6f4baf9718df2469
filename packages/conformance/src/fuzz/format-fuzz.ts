import { shorten } from "../shorten.js";
import type { Json } from "../types.js";
import type { FuzzReport } from "./fuzz.js";

/** Writes a report for a terminal: counts per operation, findings with their files, then speed and seed. */
export function formatFuzz(report: FuzzReport): string {
  const { seed, from, digest, implementations, inputs, followUps, durationMs, counts, findings, faults } = report;
  const rows = [
    ["operation", "inputs", "accepted", "refused", "findings"],
    ...counts.map((one) => [one.operation, ...[one.inputs, one.accepted, one.refused, one.findings].map(String)]),
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const table = rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  "),
  );
  const perSecond = Math.round(inputs / (durationMs / 1000));
  return [
    ...table,
    ...findings.flatMap(({ id, file, detail, input, answers }) => [
      "",
      `FOUND ${id}`,
      `  ${detail}`,
      `  input ${shorten(input)}`,
      ...Object.entries(answers).map(([name, answer]) => `  ${name} ${shorten(answer as Json)}`),
      `  decide its rule and expect in ${file}`,
    ]),
    ...faults.map(({ implementation, kind, detail }) => `FAULT ${implementation}, ${kind}: ${detail}`),
    "",
    `${implementations.join(", ")}: ${inputs} inputs and ${followUps} follow-ups in ${(durationMs / 1000).toFixed(1)} s, ${perSecond} inputs/s, ${findings.length} findings`,
    `seed ${seed} from ${from}, vectors ${digest.slice(0, 12)}`,
  ].join("\n");
}
