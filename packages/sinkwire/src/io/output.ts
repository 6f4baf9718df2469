import { EXIT, OutputClosed, OutputFailed } from "./exit.js";

/** Bytes that are gathered before they are written. */
const CHUNK_BYTES = 64 * 1024;

/** Writes to one stream, many small pieces at a time, no faster than its reader reads. */
export class Output {
  readonly #stream: NodeJS.WriteStream;
  readonly #stop: AbortController;
  #pending: string[] = [];
  #pendingLength = 0;
  #failure: Error | null = null;

  /**
   * @param stream - standard output
   * @param stop - aborted when the stream cannot be written to any more
   */
  constructor(stream: NodeJS.WriteStream, stop: AbortController) {
    this.#stream = stream;
    this.#stop = stop;
    stream.on("error", (error) => this.#fail(error));
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

  /**
   * Writes what was gathered. Rejects with {@link OutputClosed} when nobody reads any more, {@link OutputFailed} when it
   * cannot be written.
   */
  async flush(): Promise<void> {
    const text = this.#pending.join("");
    this.#pending = [];
    this.#pendingLength = 0;
    await this.write(text);
  }

  /** Writes bytes or text and waits until the stream took them. */
  async write(chunk: Uint8Array | string): Promise<void> {
    if (chunk.length > 0 && this.#failure === null) {
      try {
        await new Promise<void>((done) => this.#stream.write(chunk, () => done()));
      } catch (error) {
        this.#fail(error); // a file is written at once, and throws
      }
    }
    if (this.#failure !== null) throw this.#failure;
  }

  #fail(error: unknown): void {
    const closed = (error as NodeJS.ErrnoException).code === "EPIPE";
    this.#failure ??= closed
      ? new OutputClosed("standard output", EXIT.ok)
      : new OutputFailed("standard output", error);
    this.#stop.abort(this.#failure);
  }
}
