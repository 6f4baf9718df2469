import { type Answer, parseAnswer } from "./answer.js";
import { cut, visible } from "./shorten.js";
import type { RunFault } from "./types.js";

/** Most faults that are kept one by one; a runner that logs for ever must not fill the memory. */
const MAX_FAULTS = 20;
/** How much of a line that is not an answer is quoted, in UTF-16 code units. */
const QUOTED = 160;
/** How much of such a line is looked at, in bytes. */
const QUOTED_BYTES = 1024;
/** The id of a line that starts as an answer does. */
const NAMED_ID = /^\s*\{\s*"id"\s*:\s*"([^"\\]+)"/;

/** What became of one request. */
export type Reply =
  | Answer
  | { readonly kind: "crash" | "no_answer" | "not_judged"; readonly detail: string }
  /** A line that names the request and is no answer, such as `NaN` where JSON has none. */
  | { readonly kind: "not_an_answer"; readonly line: string }
  | { readonly kind: "answered_twice" };

/** The replies to a list of requests, and what went wrong beside them. Outlives the processes that it talks to. */
export class Exchange {
  readonly #replies = new Map<string, Reply>();
  readonly #sent = new Set<string>();
  readonly #faults: RunFault[] = [];
  readonly #onSettled: (settled: number) => void;
  #dropped = 0;
  /** True until the first answer. */
  isSilent = true;
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
    if (parsed !== null && this.#sent.has(parsed.id)) {
      this.#answer(parsed.id, parsed.answer);
      return;
    }
    const text = visible(line.subarray(0, QUOTED_BYTES).toString("utf8"));
    const named = NAMED_ID.exec(text)?.[1] ?? "";
    if (this.#sent.has(named)) this.#answer(named, { kind: "not_an_answer", line: cut(text, QUOTED) });
    else if (this.#faults.length >= MAX_FAULTS) this.#dropped += 1;
    else this.fault("not_an_answer", `a line on stdout is no answer to a request: ${cut(text, QUOTED)}`);
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

  #answer(id: string, reply: Reply): void {
    this.isSilent = false;
    const earlier = this.#replies.get(id);
    if (earlier === undefined) {
      this.settle(id, reply);
      this.onAnswer(id);
    } else if (earlier.kind !== "crash" && earlier.kind !== "no_answer") {
      this.#replies.set(id, { kind: "answered_twice" });
    }
  }
}
