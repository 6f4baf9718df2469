import type { Reply } from "../exchange.js";
import type { ErrorCode } from "../load-error-codes.js";
import type { RunnerRequest } from "../take-turn.js";
import type { Implementation, RunFault } from "../types.js";
import { RunnerSession, type SessionAnswers } from "./runner-session.js";

/** A fault of a runner that belongs to no request. */
export interface PanelFault extends RunFault {
  readonly implementation: string;
}

/** Runners to ask, and what counts as an error of the product. */
export class Panel {
  readonly suiteOf: ReadonlyMap<string, string>;
  readonly codes: ReadonlyMap<string, ErrorCode>;
  /** What went wrong with the runners so far. */
  readonly faults: PanelFault[] = [];
  readonly #members: readonly { readonly row: Implementation; readonly session: RunnerSession }[];

  /**
   * @param rows - the first one's answers are held against the invariants, the others' against the first one's
   * @param suiteOf - the suite of each operation
   * @param codes - the error codes of the product, by code
   */
  constructor(
    rows: readonly Implementation[],
    suiteOf: ReadonlyMap<string, string>,
    codes: ReadonlyMap<string, ErrorCode>,
    signal: AbortSignal | undefined,
  ) {
    this.#members = rows.map((row) => ({ row, session: new RunnerSession(row, signal) }));
    this.suiteOf = suiteOf;
    this.codes = codes;
  }

  /** Puts requests to every runner at once. One that does not claim a request's suite is not asked. */
  async ask(requests: readonly RunnerRequest[]): Promise<readonly Answered[]> {
    const asked = await Promise.all(
      this.#members.map(async ({ row, session }): Promise<readonly [string, SessionAnswers]> => {
        const own = requests.filter(({ operation }) => row.suites.includes(this.suiteOf.get(operation) ?? ""));
        const answers = own.length === 0 ? { replies: new Map(), faults: [] } : await session.ask(own);
        this.#note(row, answers.faults);
        return [row.name, answers];
      }),
    );
    return requests.map((request) => {
      const answers = new Map<string, Reply>();
      for (const [name, { replies }] of asked) {
        const reply = replies.get(request.id);
        if (reply !== undefined) answers.set(name, reply);
      }
      return { request, answers };
    });
  }

  /** Lets the runners end in good order. */
  async end(): Promise<void> {
    await Promise.all(this.#members.map(async ({ row, session }) => this.#note(row, await session.end())));
  }

  /** Kills the runners that are left. */
  async close(): Promise<void> {
    await Promise.all(this.#members.map(({ session }) => session.close()));
  }

  #note({ name }: Implementation, faults: readonly RunFault[]): void {
    this.faults.push(...faults.map((fault) => ({ ...fault, implementation: name })));
  }
}

interface Answered {
  readonly request: RunnerRequest;
  /** By implementation, the first one first. */
  readonly answers: ReadonlyMap<string, Reply>;
}
