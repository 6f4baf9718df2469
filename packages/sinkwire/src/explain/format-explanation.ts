import { columns, printable, type Style } from "../io/style.js";
import type { Explanation } from "./explain-bytes.js";

/** An explanation as lines for people. */
export function formatExplanation(explanation: Explanation, name: string, style: Style): string[] {
  const { verdict, bytes, facts, notes, causes, inner } = explanation;
  const lines =
    verdict === "message"
      ? [
          `${style("green", "✓")} ${name} is a sink message (${bytes} bytes)`,
          "",
          ...columns(facts).map((line) => `  ${line}`),
        ]
      : refusalLines(explanation, name, style);
  for (const { what, todo } of causes) {
    lines.push("");
    if (!saysTheSame(what, explanation.refusal?.reason)) lines.push(`  ${style("bold", what)}`);
    lines.push(`  ${style("cyan", "→")} ${todo}`);
  }
  if (notes.length > 0) lines.push("", ...notes.map((note) => `  ${style("yellow", "note")} ${note}`));
  if (inner !== null)
    lines.push(
      "",
      ...formatExplanation(inner, "what is inside", style).map((line) => (line === "" ? "" : `  ${line}`)),
    );
  return lines;
}

/** Whether a cause repeats the reason that stands above it. */
function saysTheSame(what: string, reason = ""): boolean {
  const plain = (text: string): string => text.toLowerCase().replace(/[.;].*$/, "");
  return plain(what) === plain(reason);
}

function refusalLines({ refusal, bytes, excerpt }: Explanation, name: string, style: Style): string[] {
  if (refusal === null) return [];
  const { code, field, rule, reason, docs, place, path } = refusal;
  const lines = [
    `${style("red", "✗")} ${name} is not a sink message: ${style("bold", field === null ? code : `${code} (${field})`)}`,
    "",
  ];
  const where = place === null ? null : `line ${place.line}, column ${place.column} (byte ${place.byte} of ${bytes})`;
  const rows: [string, string][] = [
    ["why", printable(reason)],
    [
      "where",
      [where, path === null ? null : `${printable(path)}${place === null ? " (which is not there)" : ""}`]
        .filter((part) => part !== null)
        .join(", "),
    ],
    ["rule", `${rule} of conformance/README.md`],
    ["more", docs],
  ];
  lines.push(...columns(rows.filter(([, value]) => value !== "")).map((line) => `  ${line}`));
  if (excerpt !== null) {
    const shown = printable(excerpt.text);
    const caret = [...printable(excerpt.text.slice(0, excerpt.caret))].length;
    lines.push("", `    ${style("dim", shown)}`, `    ${" ".repeat(caret)}${style("red", "^")}`);
  }
  return lines;
}
