import { fromBase64, utf8Length } from "./runtime/node.js";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/**
 * Decodes canonical base64 (RFC 4648 §4): standard alphabet, padded, no whitespace, unused trailing bits zero.
 *
 * The platform's decoder is lenient, so the text is held against what it decoded: a character that the decoder skips
 * leaves the bytes short, `-` and `_` are the other alphabet, non-ASCII is cut to its low byte by some decoders, and the
 * last digit shows stray bits. Cheaper than a pattern over the whole text, which overflows the stack at some MiB.
 *
 * @returns the bytes, maybe in memory that they share, or null when the text is not canonical
 */
export function decodeCanonicalBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 4 !== 0) return null;
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const lastDigit = ALPHABET.indexOf(text.charAt(text.length - 1 - padding));
  const unusedBits = padding === 2 ? 0b1111 : padding === 1 ? 0b11 : 0;
  if ((lastDigit & unusedBits) !== 0) return null;
  if (text.includes("-") || text.includes("_") || utf8Length(text) !== text.length) return null;
  return fromBase64(text, (text.length / 4) * 3 - padding);
}
