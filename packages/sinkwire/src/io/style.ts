import { styleText } from "node:util";

type Format = Parameters<typeof styleText>[0];

/** Puts text in a style, or leaves it as it is. */
export type Style = (format: Format, text: string) => string;

/**
 * Styles for a stream: colours on a terminal, unless `NO_COLOR` is set to anything (no-color.org); `FORCE_COLOR`
 * switches them on elsewhere.
 */
export function styleFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): Style {
  const wanted = (env["NO_COLOR"] ?? "") === "" && (stream.isTTY === true || (env["FORCE_COLOR"] ?? "0") !== "0");
  return wanted ? (format, text) => styleText(format, text, { validateStream: false }) : (_format, text) => text;
}

/** What a terminal would obey, or what would turn the text around: C0, C1, DEL, bidirectional and line controls. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff\ufffe\uffff]/gu;

/** Text from a peer, fit for a terminal: control characters are written as escapes. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** As {@link printable}, cut in the middle when it is longer than `longest` characters. */
export function shown(text: string, longest = 300): string {
  const half = Math.floor(longest / 2);
  return text.length <= longest ? printable(text) : `${printable(text.slice(0, half))}…${printable(text.slice(-half))}`;
}

/** As {@link shown}, in quotes. */
export function quoted(text: string, longest = 60): string {
  return `"${shown(text, longest)}"`;
}

/** A number of bytes for people: `812 B`, `64.0 KiB`. */
export function humanBytes(bytes: number): string {
  let value = bytes;
  let unit = "B";
  for (const next of ["KiB", "MiB", "GiB", "TiB"]) {
    if (value < 1024) break;
    value /= 1024;
    unit = next;
  }
  return unit === "B" ? `${bytes} B` : `${value.toFixed(1)} ${unit}`;
}

/** Columns under each other, two spaces apart; numbers to the right. */
export function columns(rows: readonly (readonly (string | number)[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, String(cell).length);
  }
  const pad = (cell: string | number, i: number): string =>
    typeof cell === "number" ? String(cell).padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0);
  return rows.map((row) => row.map(pad).join("  ").trimEnd());
}
