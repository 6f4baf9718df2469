/** What {@link readBody} got. */
export interface ReadBody {
  /** At most the cap, in memory of its own. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Whether there was at least one byte more. */
  readonly more: boolean;
}

const FIRST_BUFFER_BYTES = 65_536;

/**
 * Reads a stream up to a cap and not a byte further. One growing buffer: a peer that sends a byte at a time does not
 * cost an object for each, and one that announces much costs what it sends.
 */
export async function readBody(reader: ReadableStreamDefaultReader<Uint8Array>, cap: number): Promise<ReadBody> {
  let buffer = new Uint8Array(Math.min(cap, FIRST_BUFFER_BYTES));
  let length = 0;
  for (;;) {
    const { done, value: chunk } = await reader.read();
    if (done) return { bytes: buffer.slice(0, length), more: false };
    const fits = Math.min(chunk.length, cap - length);
    if (length + fits > buffer.length) {
      const grown = new Uint8Array(Math.min(cap, Math.max(2 * buffer.length, length + fits)));
      grown.set(buffer.subarray(0, length));
      buffer = grown;
    }
    buffer.set(chunk.subarray(0, fits), length);
    length += fits;
    if (fits < chunk.length) return { bytes: buffer.slice(0, length), more: true };
  }
}
