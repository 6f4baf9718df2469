import { humanBytes } from "./style.js";

const EVERY_MS = 100;

/** Shows on a terminal how far a long read is; does nothing elsewhere. */
export interface ProgressBar {
  /** Counts one item. */
  add(bytes: number, refused: boolean): void;
  /** Wipes the line. */
  clear(): void;
}

/**
 * Makes a progress line on `stream`, if that is a terminal and the results do not go to a terminal themselves.
 *
 * @param stream - standard error
 * @param quiet - true keeps it silent
 * @param total - bytes in all, null when unknown
 */
export function createProgress(stream: NodeJS.WriteStream, quiet: boolean, total: number | null): ProgressBar {
  if (stream.isTTY !== true || quiet) return { add: () => {}, clear: () => {} };
  const started = performance.now();
  let shown = started;
  let messages = 0;
  let refusals = 0;
  let read = 0;
  return {
    add(bytes, refused) {
      messages++;
      read += bytes;
      if (refused) refusals++;
      const now = performance.now();
      if (now - shown < EVERY_MS) return;
      shown = now;
      const share = total === null || total === 0 ? "" : ` ${Math.min(100, Math.floor((read / total) * 100))}%`;
      const speed = humanBytes((read / (now - started)) * 1000);
      stream.write(`\r${messages} messages, ${refusals} refused,${share} ${humanBytes(read)}, ${speed}/s\x1b[K`);
    },
    clear() {
      if (shown !== started) stream.write("\r\x1b[K");
    },
  };
}
