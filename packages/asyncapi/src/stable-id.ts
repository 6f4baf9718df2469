import { createHash } from "node:crypto";
import type { JsonValue } from "./document.js";

const MAX_SLUG_LENGTH = 48;
/** 48 bits: ids of a million parts collide once in some hundred documents; what they name is in the slug as well. */
const DIGEST_CHARACTERS = 12;

/**
 * An id that depends on what it names and on nothing else.
 *
 * @param words - for people; what an id cannot hold becomes `-`
 * @param identity - what tells the part from all others
 * @returns letters, digits and `-` alone
 */
export function stableId(words: readonly string[], identity: JsonValue): string {
  const slug = words
    .join("-")
    .slice(0, MAX_SLUG_LENGTH)
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  const digest = createHash("sha256").update(JSON.stringify(identity)).digest("hex");
  return `${slug}-${digest.slice(0, DIGEST_CHARACTERS)}`;
}

/** An object with its names in order of code units. */
export function sorted<T>(entries: Iterable<readonly [string, T]>): { readonly [name: string]: T } {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}
