import type { Json } from "./types.js";

/** Longest value shown, in UTF-16 code units. */
const SHOWN = 240;

/**
 * Writes a value as JSON for a person to read, its middle cut when it is long. Control characters stay escaped, so an
 * answer cannot move a terminal's cursor.
 */
export function shorten(value: Json, max: number = SHOWN): string {
  return cut(toText(value), max);
}

/** Cuts the middle out of a long text and says how much went. */
export function cut(text: string, max: number = SHOWN): string {
  if (text.length <= max) return text;
  const head = Math.ceil((max * 2) / 3);
  const tail = max - head;
  return `${text.slice(0, head)}…(${text.length - max} more)…${text.slice(text.length - tail)}`.toWellFormed();
}

/** Makes control characters visible, tab and line feed apart. */
export function visible(text: string): string {
  return text.replace(/[^\P{Cc}\t\n]/gu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function toText(value: Json): string {
  try {
    return visible(JSON.stringify(value));
  } catch {
    return "(nested too deeply to show)";
  }
}
