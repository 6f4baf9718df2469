import type { Cause } from "./cause.js";
import { sequenceLength } from "./place.js";

/** What bytes that are not UTF-8 are instead, by how they begin: a pattern over hex digits. */
const SHAPES: readonly (readonly [shape: RegExp, what: string, todo: string])[] = [
  [
    /^(ed[ab].[89ab].){1,2}/,
    "half a surrogate pair, as CESU-8 and Java's modified UTF-8 write it",
    "Write real UTF-8 (in Java: getBytes(StandardCharsets.UTF_8), not DataOutputStream.writeUTF).",
  ],
  [
    /^(c[01][89ab].|e0[89].[89ab].|f08.[89ab].[89ab].)/,
    "an overlong form, more bytes than the character needs",
    "Write each character in its shortest form: any usual UTF-8 encoder does.",
  ],
  [
    /^(e.([89ab].)|f[0-4]([89ab].){1,2})(?![89ab])/,
    "the beginning of a character whose rest is missing",
    "Look for what cuts text by bytes: a column's width, a buffer, a size limit.",
  ],
  [
    /^[c-f].$/,
    "the beginning of a character whose rest is missing",
    "The bytes end inside of a character: something cut them.",
  ],
  [
    /^[89ab]./,
    "the rest of a character whose beginning is missing",
    "Look for what cuts text by bytes, or writes another charset.",
  ],
];

const UNKNOWN = [
  /^../,
  "no character",
  "Look at the producer's charset, and whether something cut a character in two.",
] as const;

/**
 * Says which bytes are no characters, and what they look like.
 *
 * @param bytes - what is not UTF-8
 * @param at - offset of the first byte that is no character
 */
export function invalidUtf8Cause(bytes: Uint8Array, at: number): Cause {
  const hex = hexAt(bytes, at);
  const [shape, what, todo] = SHAPES.find(([begins]) => begins.test(hex)) ?? UNKNOWN;
  const found = (shape.exec(hex)?.[0] ?? hex).replace(/(..)(?=.)/g, "$1 ").toUpperCase();
  return { what: `At offset ${at} stands ${found}: ${what}.`, todo };
}

/**
 * Whether bytes can be text with one byte a character: some are no UTF-8, and none of them, valid or broken, looks like
 * UTF-8 of several bytes.
 */
export function isSingleByteText(bytes: Uint8Array): boolean {
  let broken = false;
  for (let i = 0; i < bytes.length; ) {
    const length = sequenceLength(bytes, i);
    if (length > 1 || (length === 0 && isBrokenSequence(bytes, i))) return false;
    broken ||= length === 0;
    i++;
  }
  return broken;
}

/** Whether what stands here was UTF-8 once: half a surrogate pair, an overlong form, a character that was cut. */
function isBrokenSequence(bytes: Uint8Array, at: number): boolean {
  const hex = hexAt(bytes, at);
  return SHAPES.slice(0, 3).some(([begins]) => begins.test(hex));
}

function hexAt(bytes: Uint8Array, at: number): string {
  return Buffer.from(bytes.subarray(at, at + 6)).toString("hex");
}
