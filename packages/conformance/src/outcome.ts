import { shorten } from "./shorten.js";
import type { ExpectedError, Json, Outcome } from "./types.js";

/**
 * Compares an answer with what a case expects: numbers by value, names in any order, none missing and none too many;
 * an error by `code`, `field` and `retryable` alone, whatever else it carries.
 *
 * @param expected - the case's `expect`
 * @param got - the answer
 * @returns null when they agree, else the first difference in words, with its place
 */
export function describeDifference(expected: Outcome, got: Outcome): string | null {
  if (expected.error !== undefined) {
    if (got.error === undefined) return `expected the error ${expected.error.code}, got an ok`;
    return differenceAt("error", { ...expected.error }, comparable(got.error));
  }
  if (got.error !== undefined) return `expected an ok, got the error ${shorten(got.error.code)}`;
  return differenceAt("ok", expected.ok, got.ok);
}

/** The compared members of an error that a runner gave; one that it left out stays left out. */
function comparable(error: ExpectedError): Json {
  const given = Object.entries(error).filter(([name]) => name === "code" || name === "field" || name === "retryable");
  return Object.fromEntries(given);
}

/** Walks the expected value, so the depth of a hostile answer costs nothing. */
function differenceAt(path: string, expected: Json, got: Json): string | null {
  if (typeof expected !== "object" || expected === null) {
    return expected === got ? null : `${path}: expected ${shorten(expected)}, got ${shorten(got)}`;
  }
  if (typeof got !== "object" || got === null || Array.isArray(expected) !== Array.isArray(got)) {
    return `${path}: expected ${shorten(expected)}, got ${shorten(got)}`;
  }
  const wanted = expected as { readonly [name: string]: Json };
  const given = got as { readonly [name: string]: Json };
  for (const name of Object.keys(wanted)) {
    if (!Object.hasOwn(given, name)) return `${path}: ${shorten(name)} is missing`;
    const difference = differenceAt(`${path}.${name}`, wanted[name] as Json, given[name] as Json);
    if (difference !== null) return difference;
  }
  const extra = Object.keys(given).find((name) => !Object.hasOwn(wanted, name));
  return extra === undefined ? null : `${path}: ${shorten(extra)} is not expected`;
}
