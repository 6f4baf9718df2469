/** What a broker holds: a body and the metadata beside it, in the shape of that broker's client. */
export interface QueueRecord {
  readonly metadata: unknown;
  readonly body: Uint8Array;
}

/** An in-process queue that holds at most `capacity` records: whoever puts more waits. */
export class Queue {
  readonly #capacity: number;
  readonly #records: QueueRecord[] = [];
  readonly #waiting: (() => void)[] = [];
  #closed = false;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  async put(record: QueueRecord): Promise<void> {
    while (this.#records.length >= this.#capacity && !this.#closed) await this.#change();
    if (this.#closed) throw new Error("the queue is closed");
    this.#records.push(record);
    this.#wake();
  }

  /** No more records: readers get what is left, writers fail. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<QueueRecord> {
    for (;;) {
      const record = this.#records.shift();
      if (record !== undefined) {
        this.#wake();
        yield record;
      } else if (this.#closed) {
        return;
      } else {
        await this.#change();
      }
    }
  }

  #change(): Promise<void> {
    return new Promise((done) => this.#waiting.push(done));
  }

  #wake(): void {
    for (const done of this.#waiting.splice(0)) done();
  }
}
