import type { Json } from "../types.js";
import type { Random } from "./random.js";

/** Texts on which languages differ: inherited names, integer-like names, prefixes of the wire, keys with separators. */
const WORDS = [
  "",
  "__proto__",
  "constructor",
  "toString",
  "0",
  "7",
  "-1",
  "default",
  "acme.orders",
  "ankusa:lifecycle",
  "a:b",
  "#replay:",
  ":replay:",
  "null",
  "True",
  "application/json",
  "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
] as const;

/** Code points at the edges of encodings, escapes, case folding and line breaking. */
const EDGE_POINTS = [
  0x00, 0x08, 0x0a, 0x0d, 0x1f, 0x20, 0x22, 0x2f, 0x5c, 0x7f, 0x80, 0x85, 0xa0, 0xdf, 0x130, 0x131, 0x17f, 0x7ff, 0x800,
  0x2028, 0x2029, 0x212a, 0xd7ff, 0xe000, 0xfeff, 0xfffd, 0xfffe, 0xffff, 0x10000, 0x1f600, 0x1fffe, 0x10ffff,
] as const;

/** Any text that UTF-8 can carry. */
export function makeText(random: Random): string {
  if (random.oneIn(3)) return random.pick(WORDS);
  return String.fromCodePoint(...random.list(random.length(24), () => makePoint(random)));
}

/** Any UTF-16: mostly well-formed, sometimes not. */
export function makeUtf16(random: Random): string {
  const text = makeText(random);
  if (!random.oneIn(24)) return text;
  const at = random.below(text.length + 1);
  return text.slice(0, at) + String.fromCharCode(random.between(0xd800, 0xdfff)) + text.slice(at);
}

/** Edits a text in one place. */
export function mutateText(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  const before = text.slice(0, at);
  const after = text.slice(at);
  switch (random.below(7)) {
    case 0:
      return before + String.fromCodePoint(makePoint(random)) + after;
    case 1:
      return before + after.slice(1);
    case 2:
      return before + after.slice(0, random.between(1, 8)) + after;
    case 3:
      return before + String.fromCodePoint(makePoint(random)) + after.slice(1);
    case 4:
      return random.oneIn(2) ? text.toUpperCase() : text.toLowerCase();
    case 5:
      return text + random.pick(["\n", " ", "\u0000", ":", "=", "\u0301"]);
    default:
      return makeUtf16(random);
  }
}

/** A string as an input carries it: itself, or its code units when it is not well-formed. */
export function carry(text: string): Json {
  return text.isWellFormed() ? text : { $utf16: text.split("").map((unit) => unit.charCodeAt(0)) };
}

function makePoint(random: Random): number {
  switch (random.below(5)) {
    case 0:
      return random.pick(EDGE_POINTS);
    case 1: {
      const point = random.below(0x10f800);
      return point < 0xd800 ? point : point + 0x800;
    }
    default:
      return random.between(0x20, 0x7e);
  }
}
