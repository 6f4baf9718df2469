import { type Answer, parseAnswer } from "./answer.js";
import { cut, visible } from "./shorten.js";
import type { RunFault } from "./types.js";

/** Most faults that are kept one by one; a runner that logs for ever must not fill the memory. */
const MAX_FAULTS = 20;
/** How much of a line that is not an answer is quoted, in UTF-16 code units. */
const QUOTED = 160;
/** How much of such a line is looked at, in bytes. */
const QUOTED_BYTES = 1024;

/** What became of one request. */
export type Reply =
  | Answer
  | { readonly kind: "crash" | "no_answer" | "not_judged"; readonly detail: string }
  | { readonly kind: "answered_twice" };

/** The replies to a list of requests, and what went wrong beside them. Outlives the processes that it talks to. */
export class Exchange {
  readonly #replies = new Map<string, Reply>();
  readonly #sent = new Set<string>();
  readonly #faults: RunFault[] = [];
  readonly #onSettled: (settled: number) => void;
  #dropped = 0;
  /** Called with the id of each request that gets its answer. */
  onAnswer: (id: string) => void = () => {};

  /** @param onSettled - called with the number of settled requests each time that it grows */
  constructor(onSettled: (settled: number) => void) {
    this.#onSettled = onSettled;
  }

  /** Replies so far, by request id. */
  get replies(): ReadonlyMap<string, Reply> {
    return this.#replies;
  }

  /** Faults of the run, the last one a count of those that were not kept. */
  get faults(): readonly RunFault[] {
    if (this.#dropped === 0) return this.#faults;
    return [...this.#faults, { kind: "not_an_answer", detail: `${this.#dropped} more lines that are not answers` }];
  }

  /** Notes that a request is about to be written. */
  sent(id: string): void {
    this.#sent.add(id);
  }

  /** Takes a line of the runner's stdout. */
  line(line: Buffer): void {
    const parsed = parseAnswer(line);
    if (parsed === null) this.#notAnAnswer("a line on stdout is not an answer", line);
    else if (!this.#sent.has(parsed.id)) this.#notAnAnswer("an answer to a request that was not made", line);
    else this.#answer(parsed.id, parsed.answer);
  }

  /** Settles a request: with its answer, or with why there is none. */
  settle(id: string, reply: Reply): void {
    this.#replies.set(id, reply);
    this.#onSettled(this.#replies.size);
  }

  /** Notes something wrong that belongs to no request. */
  fault(kind: RunFault["kind"], detail: string): void {
    this.#faults.push({ kind, detail });
  }

  #answer(id: string, answer: Answer): void {
    const earlier = this.#replies.get(id);
    if (earlier === undefined) {
      this.settle(id, answer);
      this.onAnswer(id);
    } else if (earlier.kind === "ok" || earlier.kind === "error" || earlier.kind === "unsupported") {
      this.#replies.set(id, { kind: "answered_twice" });
    }
  }

  #notAnAnswer(what: string, line: Buffer): void {
    if (this.#faults.length >= MAX_FAULTS) {
      this.#dropped += 1;
      return;
    }
    const text = visible(line.subarray(0, QUOTED_BYTES).toString("utf8"));
    this.fault("not_an_answer", `${what}: ${cut(text, QUOTED)}`);
  }
}
