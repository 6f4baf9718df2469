import { InvalidHookError } from "@sinkwire/message";

/** PostgreSQL cuts longer names (`NAMEDATALEN` - 1), so that two of them may become one. */
const MAX_NAME_BYTES = 63;

/**
 * Quotes the name of a schema: any name that PostgreSQL takes is safe in a statement afterwards.
 *
 * @param name - well-formed text of 1 to 63 bytes without U+0000, that does not start with `pg_`
 * @returns the name in double quotes
 * @throws InvalidHookError (`schema`) for any other
 */
export function quoteSchema(name: string): string {
  const bytes = typeof name === "string" && name.isWellFormed() ? Buffer.byteLength(name) : 0;
  if (bytes < 1 || bytes > MAX_NAME_BYTES || name.includes("\0") || name.startsWith("pg_")) {
    throw new InvalidHookError("schema", `expected text of 1 to ${MAX_NAME_BYTES} bytes that does not start with pg_`);
  }
  return `"${name.replaceAll('"', '""')}"`;
}

/** Quotes a text as a literal of SQL, whatever it holds but U+0000. */
export function quoteText(text: string): string {
  const quoted = text.replaceAll("'", "''").replaceAll("\\", "\\\\");
  return quoted.includes("\\") ? `E'${quoted}'` : `'${quoted}'`;
}
