import { type Failure, invalidJson } from "./failure.js";
import { isPrototypePolluted } from "./own.js";

/** Deepest nesting that a message may have; the message object is level 1. */
const MAX_DEPTH = 64;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** An escape that may be half of a surrogate pair. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/**
 * Parses one JSON text (RFC 8259) and refuses what two parsers could read in two ways: a name twice in one object,
 * a lone surrogate in any string or name, and more than 64 levels of nesting. Linear in the text, whatever it holds.
 *
 * @param text - well-formed text
 * @returns the value, or the failure, which no text can stand for
 */
export function parseStrictJson(text: string): unknown {
  const members = countMembersInText(text);
  if (typeof members !== "number") return members;
  const value = parseWithoutStack(text);
  if (value === undefined) return invalidJson("not one JSON text");
  if (countMembers(value, isPrototypePolluted()) !== members) return invalidJson("a name stands twice in one object");
  if (text.includes("\\u") && SURROGATE_ESCAPE.test(text) && !hasOnlyWellFormedStrings(value)) {
    return invalidJson("a string holds a lone surrogate");
  }
  return value;
}

/** The value of a JSON text, undefined when it is none: the error is thrown away, so its stack is not captured. */
function parseWithoutStack(text: string): unknown {
  const limit = Error.stackTraceLimit;
  limitStackTraces(limit === undefined ? undefined : 0);
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  } finally {
    limitStackTraces(limit);
  }
}

/** Does nothing where there is no such limit, or where Error is frozen. */
function limitStackTraces(limit: number | undefined): void {
  if (limit === undefined) return;
  try {
    Error.stackTraceLimit = limit;
  } catch {}
}

/**
 * How many name-value pairs the text spells out, by its colons outside of strings. JSON.parse keeps one value of a
 * repeated name, so the parsed value then has fewer. Says why instead when the text cannot be JSON.
 */
function countMembersInText(text: string): number | Failure {
  let members = 0;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = endOfString(text, i);
        if (i === -1) return invalidJson("a string does not end");
        break;
      case 0x3a: // :
        members++;
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > MAX_DEPTH) return invalidJson(`more than ${MAX_DEPTH} levels of nesting`);
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
    }
  }
  return depth === 0 ? members : invalidJson("a bracket has no counterpart");
}

/** Index of the quote that ends the string begun at `start`, or -1. Each backslash is looked at once. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && text.charCodeAt(end - 1) === BACKSLASH) {
    let before = end - 2;
    while (before > start && text.charCodeAt(before) === BACKSLASH) before--;
    if ((end - before) % 2 === 1) return end;
    end = text.indexOf('"', end + 1);
  }
  return end;
}

/** How many members the value has, all objects in it together. Recursion is bounded by {@link MAX_DEPTH}. */
function countMembers(value: unknown, inheritsNames: boolean): number {
  if (typeof value !== "object" || value === null) return 0;
  let members = 0;
  if (Array.isArray(value)) {
    for (const item of value) members += countMembers(item, inheritsNames);
    return members;
  }
  const object = value as Record<string, unknown>;
  for (const name in object) {
    if (inheritsNames && !Object.hasOwn(object, name)) continue;
    members++;
    const item = object[name];
    if (typeof item === "object" && item !== null) members += countMembers(item, inheritsNames);
  }
  return members;
}

function hasOnlyWellFormedStrings(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(hasOnlyWellFormedStrings);
  return Object.entries(value).every(([name, item]) => name.isWellFormed() && hasOnlyWellFormedStrings(item));
}
