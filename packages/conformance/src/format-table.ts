import { tableRows } from "./table-rows.js";
import type { CaseFailure, ConformanceReport, ImplementationResult } from "./types.js";

/**
 * Writes a report for a terminal: the suite's version and digest, implementation × suite as passed / failed / total,
 * then for each implementation how many cases failed, the operations that it does not support, and each other failure with
 * its rule, input, expected and got.
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
  const unsupported = countBy(row.failures.filter(({ reason }) => reason === "unsupported"));
  const others = row.failures.filter(({ reason }) => reason !== "unsupported");
  if (row.failures.length > 0) {
    const total = row.suites.reduce((sum, each) => sum + each.total, 0);
    const counts = `${row.failures.length - others.length} unsupported, ${others.length} otherwise`;
    lines.push(`${row.name}: ${row.failures.length} of ${total} cases failed: ${counts}`);
    for (const [operation, count] of unsupported) lines.push(`  ${operation}: ${count} unsupported`);
    lines.push("");
  }
  for (const failure of others) lines.push(...describe(row.name, failure), "");
  for (const fault of row.faults) lines.push(`${row.name}: ${fault.kind}`, `  ${fault.detail}`, "");
  if (row.restarts > 0) lines.push(`${row.name}: the runner was started again ${row.restarts} times`, "");
  if (row.stderr !== "")
    lines.push(`${row.name}: end of stderr`, ...row.stderr.split("\n").map((line) => `  ${line}`), "");
  return lines;
}

/** How many failures each operation has, in order of its first. */
function countBy(failures: readonly CaseFailure[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { operation } of failures) counts.set(operation, (counts.get(operation) ?? 0) + 1);
  return counts;
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
