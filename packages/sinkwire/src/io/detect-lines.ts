const LF = 0x0a;

/** What {@link detectLines} found out. */
export interface Detected {
  /** Whether the first line is a JSON text by itself and more follows: one message a line. */
  readonly ndjson: boolean;
  /** The whole stream, with what was looked at already. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * Looks at the beginning of a stream to tell one message from one message a line.
 *
 * @param chunks - the stream
 * @param maxBytes - longest line that is looked at, in bytes
 */
export async function detectLines(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Detected> {
  const iterator = chunks[Symbol.asyncIterator]();
  const seen: Uint8Array[] = [];
  const line: Uint8Array[] = [];
  let length = 0;
  let lineEnded = false;
  let moreFollows = false;
  while (!moreFollows && length <= maxBytes) {
    const next = await iterator.next();
    if (next.done === true) break;
    const chunk = next.value;
    seen.push(chunk);
    length += chunk.length;
    const end: number = lineEnded ? -1 : chunk.indexOf(LF);
    if (!lineEnded) line.push(end === -1 ? chunk : chunk.subarray(0, end));
    if (lineEnded || end !== -1) moreFollows = chunk.subarray(end + 1).some((byte) => byte > 0x20);
    lineEnded ||= end !== -1;
  }
  return { ndjson: moreFollows && isJson(line), chunks: resume(seen, iterator) };
}

async function* resume(seen: Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for (let chunk = seen.shift(); chunk !== undefined; chunk = seen.shift()) yield chunk;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

function isJson(line: readonly Uint8Array[]): boolean {
  try {
    JSON.parse(Buffer.concat(line).toString());
    return true;
  } catch {
    return false;
  }
}
