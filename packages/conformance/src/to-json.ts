import type { ConformanceReport } from "./types.js";

/** Writes a report as JSON: the {@link ConformanceReport} itself, indented, with a line feed at its end. */
export function toJson(report: ConformanceReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
