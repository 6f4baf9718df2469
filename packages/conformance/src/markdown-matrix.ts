import { ConformanceError } from "./errors.js";
import { tableRows } from "./table-rows.js";
import type { ConformanceReport } from "./types.js";

const BEGIN = "<!-- conformance:begin -->";
const END = "<!-- conformance:end -->";

/** Writes the table implementation × suite in Markdown, with the suite's version and digest below it. */
export function markdownMatrix(report: ConformanceReport): string {
  const [head = [], ...rows] = tableRows(report);
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  const { version, digest, cases } = report.suite;
  return [
    line(head),
    line(head.map(() => "---")),
    ...rows.map(line),
    "",
    `Passed / failed / total of suite ${version ?? "without a version"}, ${cases} cases, digest \`${digest.slice(0, 12)}\`.`,
  ].join("\n");
}

/**
 * Replaces what stands between `<!-- conformance:begin -->` and `<!-- conformance:end -->` by the table.
 *
 * @param text - a Markdown text, such as a README
 * @returns the text with the table of this report
 * @throws {@link ConformanceError} `suite_invalid` when the text lacks the two markers in this order
 */
export function updateMarkdownMatrix(text: string, report: ConformanceReport): string {
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin === -1 || end < begin) throw new ConformanceError("suite_invalid", `the text lacks ${BEGIN} and ${END}`);
  return `${text.slice(0, begin + BEGIN.length)}\n${markdownMatrix(report)}\n${text.slice(end)}`;
}
