import type { Json } from "./types.js";

/**
 * Replaces every `{"$utf16": [code units]}` in an input by the string it stands for: a string that JSON cannot carry,
 * such as one with a lone surrogate. The driver sends inputs as they are; a runner calls this before it dispatches.
 *
 * @param value - an input, as parsed from the request; never changed
 * @returns a copy with real strings; names such as `__proto__` stay plain own data
 */
export function expandUtf16(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map(expandUtf16);
  const entries = Object.entries(value);
  const [first] = entries;
  if (entries.length === 1 && first?.[0] === "$utf16" && isList(first[1])) {
    return String.fromCharCode(...(first[1] as number[]));
  }
  return Object.fromEntries(entries.map(([name, member]) => [name, expandUtf16(member)]));
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
