/** Longest line of the protocol, in bytes, its line feed not counted. */
export const MAX_LINE_BYTES: number = 64 * 1024 * 1024;

const LF = 0x0a;

/**
 * Cuts a stream of bytes into lines at LF alone, so neither a carriage return nor a separator inside a string ends one.
 * Holds at most one line of `maxBytes`.
 */
export class LineSplitter {
  readonly #onLine: (line: Buffer) => void;
  readonly #onOverlong: () => void;
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #held = 0;

  /**
   * @param onLine - called with each line, without its LF
   * @param onOverlong - called once when a line grows past `maxBytes`; what follows is dropped
   */
  constructor(onLine: (line: Buffer) => void, onOverlong: () => void, maxBytes: number = MAX_LINE_BYTES) {
    this.#onLine = onLine;
    this.#onOverlong = onOverlong;
    this.#maxBytes = maxBytes;
  }

  /** Takes the next bytes of the stream. */
  push(chunk: Buffer): void {
    let start = 0;
    while (this.#held <= this.#maxBytes) {
      const end = chunk.indexOf(LF, start);
      this.#hold(chunk.subarray(start, end === -1 ? chunk.length : end));
      if (end === -1 || this.#held > this.#maxBytes) return;
      this.#flush();
      start = end + 1;
    }
  }

  /** Hands over a last line that no LF ended. */
  end(): void {
    if (this.#held > 0 && this.#held <= this.#maxBytes) this.#flush();
  }

  #hold(part: Buffer): void {
    this.#held += part.length;
    if (this.#held > this.#maxBytes) {
      this.#parts = [];
      this.#onOverlong();
    } else if (part.length > 0) {
      this.#parts.push(part);
    }
  }

  #flush(): void {
    const line = this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts, this.#held);
    this.#parts = [];
    this.#held = 0;
    this.#onLine(line);
  }
}
