import { type DecodeFailure, type EncodedMessage, type Message, tryDecodeMessage } from "@sinkwire/message";
import { detectLines } from "../io/detect-lines.js";
import { DEFAULT_MAX_BYTES } from "../io/flags.js";
import { openInput, readAll } from "../io/input.js";
import { readLines } from "../io/lines.js";
import type { Shell } from "../shell.js";

/** A message to publish, or why there is none. */
export interface Item {
  /** The line it stands on, from 1; null when the input is one message. */
  readonly line: number | null;
  /** The message's id; null when it could not be read. */
  readonly id: string | null;
  readonly message: Message | EncodedMessage | DecodeFailure;
}

/**
 * Reads one message, or one a line when the first line is a JSON text and more follows.
 *
 * @param file - its name; undefined or `-` for standard input
 */
export async function* readItems(file: string | undefined, { signal }: Shell): AsyncGenerator<Item> {
  const input = openInput(file, signal);
  const { ndjson, chunks } = await detectLines(input.chunks, DEFAULT_MAX_BYTES);
  if (!ndjson) {
    yield itemOf(await readAll({ chunks }, DEFAULT_MAX_BYTES), null);
    return;
  }
  for await (const { number, bytes } of readLines(chunks, DEFAULT_MAX_BYTES)) {
    if (bytes.length > 0) yield itemOf(bytes, number);
  }
}

function itemOf(bytes: Uint8Array, line: number | null): Item {
  const result = tryDecodeMessage(bytes, { maxBytes: DEFAULT_MAX_BYTES });
  return result.ok
    ? { line, id: result.message.id, message: result.message }
    : { line, id: null, message: result.error };
}
