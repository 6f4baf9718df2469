import { fromBase64, toBase64, utf8Length } from "./runtime/node.js";

/**
 * Decodes canonical base64 (RFC 4648 §4): standard alphabet, padded, no whitespace, unused trailing bits zero.
 *
 * The platform's decoder is lenient, so the text is held against what it decoded: a character that the decoder skips
 * leaves the bytes short, `-` and `_` are the other alphabet, non-ASCII is cut to its low byte by some decoders, and the
 * last group, re-encoded, shows stray bits. Cheaper than a pattern over the whole text, which overflows at some MiB.
 *
 * @returns the bytes, in memory of their own, or null when the text is not canonical
 */
export function decodeCanonicalBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (text.length % 4 !== 0) return null;
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const length = (text.length / 4) * 3 - padding;
  if (text.includes("-") || text.includes("_") || utf8Length(text) !== text.length) return null;
  const bytes = fromBase64(text, length);
  if (bytes === null || length === 0) return bytes;
  const lastGroup = length - (length % 3 || 3);
  return toBase64(bytes.subarray(lastGroup)) === text.slice(-4) ? bytes : null;
}
