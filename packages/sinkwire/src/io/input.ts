import { createReadStream, fstatSync, readFileSync, readlinkSync, type Stats, statSync } from "node:fs";
import type { Readable } from "node:stream";
import { UsageError } from "./exit.js";

/** Where bytes come from. */
export interface Input {
  /** For people: the file's name as it was given, or `standard input`. */
  readonly name: string;
  /** Bytes in all, null when that cannot be known. */
  readonly size: number | null;
  /** The bytes; read once. Rejects with a {@link UsageError} when the file cannot be read. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * Opens a file, or standard input for `-` and for no name at all.
 *
 * @param signal - ends the reading
 * @throws {@link UsageError} when there is no such file, when it is a folder, and when standard input is closed
 */
export function openInput(file: string | undefined, signal: AbortSignal): Input {
  if (file === undefined || file === "-") {
    if (statOf("standard input", () => fstatSync(0))?.isDirectory()) throw new UsageError("standard input is a folder");
    if (isStandIn()) throw new UsageError("standard input is closed; for an empty one, use < /dev/null");
    return { name: "standard input", size: null, chunks: readChunks("standard input", process.stdin, signal) };
  }
  const stat = statOf(file, () => statSync(file, { throwIfNoEntry: false }));
  if (stat === undefined) throw new UsageError(`there is no file ${file}`);
  if (stat.isDirectory()) throw new UsageError(`${file} is a folder`);
  return {
    name: file,
    size: stat.isFile() ? stat.size : null,
    chunks: readChunks(file, createReadStream(file), signal),
  };
}

/**
 * Whether standard input was closed: Node puts /dev/null in its place, open for writing, too, which `< /dev/null` is not.
 * Only Linux tells.
 */
function isStandIn(): boolean {
  try {
    const forBoth = /^flags:\s+[0-7]*2$/m.test(readFileSync("/proc/self/fdinfo/0", "utf8"));
    return forBoth && readlinkSync("/proc/self/fd/0") === "/dev/null";
  } catch {
    return false;
  }
}

function statOf(name: string, stat: () => Stats | undefined): Stats | undefined {
  try {
    return stat();
  } catch (cause) {
    throw unreadable(name, cause);
  }
}

function unreadable(name: string, cause: unknown): UsageError {
  return new UsageError(`${name} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
}

/**
 * Reads all bytes, at most one more than `maxBytes`, so that a reader sees that there are too many.
 *
 * @param input - what {@link openInput} gave
 * @param maxBytes - where to stop
 */
export async function readAll({ chunks }: Pick<Input, "chunks">, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    length += chunk.length;
    if (length > maxBytes) break;
  }
  return Buffer.concat(parts).subarray(0, maxBytes + 1);
}

async function* readChunks(name: string, stream: Readable, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stop = (): void => {
    stream.destroy(signal.reason instanceof Error ? signal.reason : undefined);
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    signal.throwIfAborted();
    yield* stream;
    signal.throwIfAborted();
  } catch (cause) {
    signal.throwIfAborted();
    throw unreadable(name, cause);
  } finally {
    signal.removeEventListener("abort", stop);
    stream.destroy();
  }
}
