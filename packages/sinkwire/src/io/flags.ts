import { InvalidArgumentError } from "commander";

/** Default of `--max-bytes` for reading: 64 MiB, the decoder's own. */
export const DEFAULT_MAX_BYTES: number = 64 * 1024 * 1024;

/** Parses a flag's value as an integer of at least 0; `_` may group digits. */
export function parseCount(text: string): number {
  const count = /^[0-9][0-9_]*$/.test(text) ? Number(text.replaceAll("_", "")) : Number.NaN;
  if (!Number.isSafeInteger(count)) throw new InvalidArgumentError("Expected an integer of at least 0.");
  return count;
}

/** Parses a time: Unix milliseconds, or a date and time of RFC 3339 with its zone. */
export function parseTime(text: string): number {
  const isDate =
    /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(text) &&
    isDay(text.slice(0, 10));
  const ms = /^-?[0-9]+$/.test(text) ? Number(text) : isDate ? Date.parse(text) : Number.NaN;
  if (!Number.isSafeInteger(ms)) {
    throw new InvalidArgumentError("Expected Unix milliseconds or a time such as 2026-09-24T14:03:11Z.");
  }
  return ms;
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses where to start: `beginning` as 0, a span before now such as `10m`, or a time as {@link parseTime} takes it. */
export function parseSince(text: string): number {
  if (text === "beginning") return 0;
  const [, count, unit = ""] = /^([0-9]{1,6})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return Math.max(1, Date.now() - Number(count) * (UNITS_MS[unit] ?? 0));
  const ms = parseTime(text);
  if (ms < 0) throw new InvalidArgumentError("Expected a time from 1970 on.");
  return ms;
}

/** Whether a day is in the calendar; `Date` takes 30 February for 2 March. */
function isDay(day: string): boolean {
  const midnight = new Date(day);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

/** Parses a header as HTTP writes it and adds it to those before. */
export function parseHeader(
  text: string,
  before: readonly (readonly [string, string])[] = [],
): (readonly [string, string])[] {
  const colon = text.indexOf(":");
  if (colon < 1) throw new InvalidArgumentError("Expected a header such as 'X-GitHub-Event: push'.");
  return [...before, [text.slice(0, colon), text.slice(colon + 1).trim()]];
}

/** Adds a repeated flag's value to those before. */
export function parseRepeated(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}
