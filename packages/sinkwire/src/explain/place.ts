/** A place in bytes. */
export interface Place {
  /** From 1. */
  readonly line: number;
  /** In characters, from 1. */
  readonly column: number;
  /** Offset in bytes, from 0. */
  readonly byte: number;
}

/** The place of an index (UTF-16 units) in a text, as its UTF-8 bytes have it. */
export function placeOf(text: string, index: number): Place {
  const before = text.slice(0, index);
  const lineStart = before.lastIndexOf("\n") + 1;
  let line = 1;
  for (let i = before.indexOf("\n"); i !== -1; i = before.indexOf("\n", i + 1)) line++;
  return { line, column: characters(before.slice(lineStart)) + 1, byte: Buffer.byteLength(before) };
}

/**
 * Where bytes stop being UTF-8.
 *
 * @returns the offset of the first byte of what is no character, or null
 */
export function findInvalidUtf8(bytes: Uint8Array): number | null {
  for (let i = 0; i < bytes.length; ) {
    const length = sequenceLength(bytes, i);
    if (length === 0) return i;
    i += length;
  }
  return null;
}

/** Bytes of the character at `i`, which may be outside, by the table of Unicode 3.9 (well-formed UTF-8), 0 when there is none. */
export function sequenceLength(bytes: Uint8Array, i: number): number {
  const first = bytes[i] ?? 0;
  if (first < 0x80) return 1;
  const within = (offset: number, low: number, high: number): boolean => {
    const byte = bytes[i + offset];
    return byte !== undefined && byte >= low && byte <= high;
  };
  const rest = (from: number, to: number): boolean => {
    for (let offset = from; offset <= to; offset++) if (!within(offset, 0x80, 0xbf)) return false;
    return true;
  };
  if (first >= 0xc2 && first <= 0xdf) return rest(1, 1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    return within(1, first === 0xe0 ? 0xa0 : 0x80, first === 0xed ? 0x9f : 0xbf) && rest(2, 2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    return within(1, first === 0xf0 ? 0x90 : 0x80, first === 0xf4 ? 0x8f : 0xbf) && rest(2, 3) ? 4 : 0;
  }
  return 0;
}

function characters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
