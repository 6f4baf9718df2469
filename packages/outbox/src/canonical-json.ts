import { InvalidLaneTupleError } from "./errors.js";

/** Deepest nesting that is written; a profile has two levels. */
const MAX_DEPTH = 64;

/**
 * Writes an object as RFC 8785 does: names in the order of their UTF-16 units, numbers as ECMAScript writes them, no
 * white space. Throws {@link InvalidLaneTupleError} with the field for what is no JSON.
 */
export function canonicalJson(value: unknown, field: string): string {
  const fail = (reason: string): never => {
    throw new InvalidLaneTupleError(field, reason);
  };
  const write = (part: unknown, depth: number): string => {
    if (depth > MAX_DEPTH) return fail(`deeper than ${MAX_DEPTH} levels`);
    if (part === null || typeof part === "boolean") return String(part);
    if (typeof part === "number" && Number.isFinite(part)) return JSON.stringify(part);
    if (typeof part === "string") return part.isWellFormed() ? JSON.stringify(part) : fail("a lone surrogate");
    if (Array.isArray(part)) return `[${part.map((item) => write(item, depth + 1)).join(",")}]`;
    if (typeof part !== "object") return fail(`a ${typeof part} is no JSON value`);
    const names = Object.keys(part).sort();
    const values = part as Readonly<Record<string, unknown>>;
    return `{${names.map((key) => `${write(key, depth)}:${write(values[key], depth + 1)}`).join(",")}}`;
  };
  if (typeof value !== "object" || value === null || Array.isArray(value)) return fail("expected an object");
  return write(value, 1);
}
