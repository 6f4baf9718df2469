import { tableRows } from "./table-rows.js";
import type { CaseFailure, ConformanceReport, ImplementationResult } from "./types.js";

/**
 * Writes a report for a terminal: the suite's version and digest, implementation × suite as passed / failed / total,
 * then each failure with its rule, input, expected and got.
 */
export function formatTable(report: ConformanceReport): string {
  const { version, digest, cases } = report.suite;
  const rows = tableRows(report);
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const table = rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return [
    `suite ${version ?? "without a version"}, ${cases} cases, digest ${digest}`,
    "",
    ...table,
    "",
    ...report.implementations.flatMap(problems),
  ].join("\n");
}

function problems(row: ImplementationResult): readonly string[] {
  const lines: string[] = [];
  if (row.unavailable !== null) lines.push(`${row.name} is unavailable: ${row.unavailable}`, "");
  for (const failure of row.failures) lines.push(...describe(row.name, failure), "");
  for (const fault of row.faults) lines.push(`${row.name}: ${fault.kind}`, `  ${fault.detail}`, "");
  if (row.restarts > 0) lines.push(`${row.name}: the runner was started again ${row.restarts} times`, "");
  if (row.stderr !== "")
    lines.push(`${row.name}: end of stderr`, ...row.stderr.split("\n").map((line) => `  ${line}`), "");
  return lines;
}

function describe(name: string, failure: CaseFailure): readonly string[] {
  return [
    `${name}: ${failure.id} (rule ${failure.rule}, ${failure.operation}): ${failure.reason}`,
    `  ${failure.detail}`,
    `  input     ${failure.input}`,
    `  expected  ${failure.expected}`,
    `  got       ${failure.got ?? "nothing"}`,
  ];
}
