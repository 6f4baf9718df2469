import { expandUtf16 } from "../expand-utf16.js";
import type { Json, JsonObject } from "../types.js";
import { mutateClaimRef } from "./make-claim.js";
import { mutateBytes } from "./mutate-bytes.js";
import type { Random } from "./random.js";
import { carry, makeUtf16, mutateText } from "./texts.js";

/** Integers at the edges of what languages hold, as texts carry them. */
const DIGITS = [
  "0",
  "1",
  "4294967295",
  "4294967296",
  "9007199254740993",
  "18446744073709551615",
  "18446744073709551616",
];
const BYTES = /^(?:base64|.*_base64)$/;

/** Edits one place of an input: a value, an element, a member, or the bytes behind base64. */
export function mutateInput(random: Random, input: JsonObject): JsonObject {
  const places = countPlaces(input);
  return mutateAt(random, input, random.below(places), null).value as JsonObject;
}

/** A copy whose place number `at`, counted in depth, is edited; `left` is what is still to be counted. */
function mutateAt(random: Random, value: Json, at: number, name: string | null): { value: Json; left: number } {
  if (at === 0) return { value: mutateValue(random, value, name), left: -1 };
  let left = at - 1;
  if (!isContainer(value)) return { value, left };
  const members = Object.entries(value).map(([key, item]): [string, Json] => {
    if (left < 0) return [key, item];
    const edited = mutateAt(random, item, left, key);
    left = edited.left;
    return [key, edited.value];
  });
  return { value: Array.isArray(value) ? members.map(([, item]) => item) : Object.fromEntries(members), left };
}

function mutateValue(random: Random, value: Json, name: string | null): Json {
  if (name !== null && random.oneIn(16)) return random.pick<Json>([null, "", 0, -1, 1.5, true, [], {}, 2 ** 53, "x"]);
  if (typeof value === "string") {
    if (name !== null && BYTES.test(name)) return mutateBase64(random, value);
    if (random.oneIn(2)) return mutateShaped(random, value);
    return carry(value.startsWith("urn:") ? mutateClaimRef(random, value) : mutateText(random, value));
  }
  if (isUtf16(value)) return carry(mutateText(random, expandUtf16(value) as string));
  if (typeof value === "number") return mutateNumber(random, value);
  if (typeof value === "boolean") return !value;
  if (value === null) return random.oneIn(2) ? carry(makeUtf16(random)) : random.below(100);
  return isList(value) ? mutateList(random, value) : mutateObject(random, value);
}

/** Another text of the same shape: digits stay digits, hex stays hex, so that what it stands for is still read. */
function mutateShaped(random: Random, value: string): Json {
  if (/^[0-9]+$/.test(value)) return random.pick([...DIGITS, String(random.below(2 ** 32)), value.slice(1) || "0"]);
  if (!/^(?:[0-9a-f]{2}){4,}$/.test(value)) return carry(mutateText(random, value));
  const at = random.below(value.length);
  return value.slice(0, at) + random.below(16).toString(16) + value.slice(at + 1);
}

function mutateBase64(random: Random, value: string): string {
  let bytes = Buffer.from(value, "base64");
  for (let edits = random.between(1, 3); edits > 0; edits--) bytes = Buffer.from(mutateBytes(random, bytes));
  return bytes.toString("base64");
}

function mutateNumber(random: Random, value: number): number {
  return random.pick([value + 1, value - 1, value * 2, -value, value + 0.5, 0, 1, 2 ** 31, 2 ** 53 - 1, 2 ** 53]);
}

function mutateList(random: Random, list: readonly Json[]): Json {
  const items = [...list];
  const at = random.below(items.length + 1);
  const item = items[at] ?? items[0] ?? "";
  switch (random.below(3)) {
    case 0:
      items.splice(at, 1);
      break;
    case 1:
      items.splice(random.below(items.length + 1), 0, item);
      break;
    default:
      items.splice(at, 1);
      items.splice(random.below(items.length + 1), 0, item);
  }
  return items;
}

function mutateObject(random: Random, value: JsonObject): Json {
  const names = Object.keys(value);
  if (names.length === 0) return value;
  const name = random.pick(names);
  if (random.oneIn(2)) return { ...value, [name]: null };
  return Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
}

function countPlaces(value: Json): number {
  if (!isContainer(value)) return 1;
  return Object.values(value).reduce<number>((sum, item) => sum + countPlaces(item), 1);
}

function isContainer(value: Json): value is readonly Json[] | JsonObject {
  return typeof value === "object" && value !== null && !isUtf16(value);
}

/** `{"$utf16"}` is a text, not an object. */
function isUtf16(value: Json): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "$utf16");
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
