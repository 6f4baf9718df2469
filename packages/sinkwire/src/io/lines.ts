const LF = 0x0a;
const CR = 0x0d;

/** One line of a stream of bytes. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Without its end (LF or CR LF). A view that is good until the next line is asked for. */
  readonly bytes: Uint8Array;
  /** Whether the line was longer than the cap: `bytes` is then its beginning, one byte more than the cap. */
  readonly cut: boolean;
}

/**
 * Splits a stream of bytes at LF, holding at most one chunk and one line of `maxBytes + 1` bytes. Bytes beyond are
 * counted out, not kept.
 *
 * @param chunks - the stream
 * @param maxBytes - longest line that is kept whole, in bytes
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Line> {
  let number = 0;
  let parts: Uint8Array[] = [];
  let kept = 0;

  const keep = (part: Uint8Array): void => {
    const wanted = part.subarray(0, maxBytes + 1 - kept);
    if (wanted.length > 0) parts.push(wanted);
    kept += wanted.length;
  };
  const finish = (last: Uint8Array): Line => {
    keep(last);
    const only = parts[0];
    let bytes = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
    const cut = bytes.length > maxBytes;
    if (!cut && bytes.at(-1) === CR) bytes = bytes.subarray(0, -1);
    parts = [];
    kept = 0;
    return { number: ++number, bytes, cut };
  };

  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      yield finish(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) keep(chunk.subarray(start));
  }
  if (kept > 0) yield finish(new Uint8Array());
}
