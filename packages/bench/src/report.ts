import type { CodecProfile, CodecRow } from "./codec.js";
import type { ProfileRow } from "./profile.js";

const COLUMNS: readonly (readonly [string, (row: CodecRow) => string])[] = [
  ["body", (row) => `${row.bodyBytes.toLocaleString("en")} B, ${row.text}`],
  ["decode", (row) => row.decode.toFixed(2)],
  ["refuse ÷ accept", (row) => row.refuseToAccept.toFixed(2)],
  ["ajv, no body", (row) => row.ajv.toFixed(2)],
  ["cloudevents", (row) => row.cloudevents.toFixed(2)],
  ["encode", (row) => row.encode.toFixed(2)],
  ["serialize", (row) => row.serialize.toFixed(2)],
];

/** The rows as a Markdown table of ratios. */
export function markdownTable(rows: readonly CodecRow[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(COLUMNS.map(([title]) => title)),
    line(COLUMNS.map((_, index) => (index === 0 ? "---" : "--:"))),
    ...rows.map((row) => line(COLUMNS.map(([, cell]) => cell(row)))),
  ].join("\n");
}

/** A profile as two Markdown tables, decode and refusal. */
export function profileTables({ decode, refusal }: CodecProfile): string {
  return `${profileTable(decode)}\n\nand of the slowest refusal, ${refusal.name}:\n\n${profileTable(refusal.rows)}`;
}

/** The functions that take at least a hundredth of the time. */
function profileTable(rows: readonly ProfileRow[]): string {
  const shown = rows.filter(({ share }) => share >= 0.01);
  return [
    "| own time of | share |",
    "| --- | --: |",
    ...shown.map(({ name, share }) => `| \`${name}\` | ${Math.round(share * 100)} % |`),
  ].join("\n");
}

const WIDTH = 720;
const BAR_HEIGHT = 14;
const LEFT = 150;
const COLOURS = { decode: "#2563eb", encode: "#0d9488", ajv: "#94a3b8", cloudevents: "#cbd5e1" } as const;

/** The rows as a picture: bars as long as the ratio to the floor, which is the dashed line at 1. */
export function chart(rows: readonly CodecRow[]): string {
  const names = Object.keys(COLOURS) as (keyof typeof COLOURS)[];
  const longest = Math.max(2, ...rows.flatMap((row) => names.map((name) => row[name])));
  const scale = (WIDTH - LEFT - 60) / longest;
  const groupHeight = names.length * BAR_HEIGHT + 14;
  const height = rows.length * groupHeight + 50;
  const bars = rows.flatMap((row, group) => {
    const top = 40 + group * groupHeight;
    const label = `<text x="${LEFT - 8}" y="${top + 32}" text-anchor="end">${row.bodyBytes.toLocaleString("en")} B, ${row.text}</text>`;
    return [
      label,
      ...names.map((name, index) => {
        const y = top + index * BAR_HEIGHT;
        const width = Math.max(1, row[name] * scale);
        return (
          `<rect x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="${BAR_HEIGHT - 2}" fill="${COLOURS[name]}"/>` +
          `<text x="${(LEFT + width + 4).toFixed(1)}" y="${y + 10}">${row[name].toFixed(2)}</text>`
        );
      }),
    ];
  });
  const legend = names.map(
    (name, index) =>
      `<rect x="${LEFT + index * 120}" y="12" width="12" height="12" fill="${COLOURS[name]}"/>` +
      `<text x="${LEFT + index * 120 + 16}" y="22">${name}</text>`,
  );
  const floor = (LEFT + scale).toFixed(1);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="11" role="img">
<title>Time as a ratio to the floor of a codec: shorter is better, 1 is the floor</title>
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
${legend.join("\n")}
${bars.join("\n")}
<line x1="${floor}" x2="${floor}" y1="34" y2="${height - 10}" stroke="#dc2626" stroke-dasharray="4 3"/>
</svg>
`;
}
