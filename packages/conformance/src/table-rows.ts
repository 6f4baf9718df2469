import type { ConformanceReport, ImplementationResult, SuiteCounts } from "./types.js";

/** The cells of the table implementation × suite: a head, then one row each. */
export function tableRows(report: ConformanceReport): readonly (readonly string[])[] {
  const suites = [...new Set(report.implementations.flatMap((row) => row.suites.map(({ suite }) => suite)))].sort();
  const head = ["implementation", ...suites, "total", "result"];
  return [
    head,
    ...report.implementations.map((row) => [row.name, ...suites.map((id) => cell(row, id)), total(row), result(row)]),
  ];
}

function cell(row: ImplementationResult, suite: string): string {
  return counts(row.suites.filter((one) => one.suite === suite));
}

function total(row: ImplementationResult): string {
  return counts(row.suites);
}

function counts(suites: readonly SuiteCounts[]): string {
  if (suites.length === 0) return "–";
  const sum = (key: "passed" | "failed" | "total"): number => suites.reduce((all, one) => all + one[key], 0);
  return `${sum("passed")} / ${sum("failed")} / ${sum("total")}`;
}

function result(row: ImplementationResult): string {
  if (row.faults.length === 0) return row.outcome;
  return `${row.outcome}, ${row.faults.length} ${row.faults.length === 1 ? "fault" : "faults"}`;
}
