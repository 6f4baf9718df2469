import { OutputClosed } from "./exit.js";

/** Bytes that are gathered before they are written. */
const CHUNK_BYTES = 64 * 1024;

/** Writes to one stream, many small pieces at a time, no faster than its reader reads. */
export class Output {
  readonly #stream: NodeJS.WriteStream;
  #pending: string[] = [];
  #pendingLength = 0;
  #failure: Error | null = null;

  /**
   * @param stream - standard output
   * @param stop - aborted when the stream cannot be written to any more
   */
  constructor(stream: NodeJS.WriteStream, stop: AbortController) {
    this.#stream = stream;
    stream.on("error", (error: NodeJS.ErrnoException) => {
      this.#failure = error.code === "EPIPE" ? new OutputClosed("the reader closed standard output") : error;
      stop.abort(this.#failure);
    });
  }

  /** Whether a person looks at it. */
  get isTerminal(): boolean {
    return this.#stream.isTTY === true;
  }

  /**
   * Adds a line.
   *
   * @returns a promise when it has to be waited for, so that a million lines are not a million waits
   */
  line(text: string): Promise<void> | undefined {
    this.#pending.push(text, "\n");
    this.#pendingLength += text.length + 1;
    return this.#pendingLength >= CHUNK_BYTES ? this.flush() : undefined;
  }

  /** Writes what was gathered. Rejects with {@link OutputClosed} when nobody reads any more. */
  async flush(): Promise<void> {
    const text = this.#pending.join("");
    this.#pending = [];
    this.#pendingLength = 0;
    await this.write(text);
  }

  /** Writes bytes or text and waits until the stream took them. */
  async write(chunk: Uint8Array | string): Promise<void> {
    if (chunk.length > 0 && this.#failure === null) {
      await new Promise<void>((done) => this.#stream.write(chunk, () => done()));
    }
    if (this.#failure !== null) throw this.#failure;
  }
}
