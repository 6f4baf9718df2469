/** A value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A JSON object. */
export type JsonObject = { readonly [name: string]: Json };

/** What an operation answers, or what a case expects of it. */
export type Outcome =
  | { readonly ok: Json; readonly error?: never }
  | { readonly error: ExpectedError; readonly ok?: never };

/** The part of an error that is compared: never its text. */
export interface ExpectedError {
  /** One of `schemas/error-codes.json`. */
  readonly code: string;
  /** The top-level wire name at fault, or null. */
  readonly field: string | null;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
}

/** Where a vector comes from: written by hand, answered by an implementation, or once a bug. */
export type CaseKind = "pinned" | "generated" | "found";

/** One vector, as its file holds it. */
export interface ConformanceCase {
  /** Unique in the whole tree, dotted, never renamed. */
  readonly id: string;
  /** The suite, which is also the folder. */
  readonly suite: string;
  /** The operation under test. */
  readonly operation: string;
  /** The numbered rule of `conformance/README.md` that the case proves. */
  readonly rule: string;
  /** Why the case exists, in one line. */
  readonly comment: string;
  readonly tags?: readonly string[];
  /** What the operation is given, sent to the runner as it is. */
  readonly input: JsonObject;
  readonly expect: Outcome;
  /** Why the case is wrong. A retired case stays in its file and is not judged. */
  readonly retired?: string;
}

/** A case together with where it was found. */
export interface LoadedCase extends ConformanceCase {
  readonly kind: CaseKind;
  /** Path of its file below the cases folder, with `/`. */
  readonly file: string;
}

/** All vectors of one cases folder. */
export interface ConformanceSuite {
  /** Version of the suite, from `suite.json` beside the cases folder; null for a folder without one. */
  readonly version: string | null;
  /** SHA-256 over the canonical content of the cases, hex; the same on every machine. */
  readonly digest: string;
  /** Every case, retired ones too, ordered by id. */
  readonly cases: readonly LoadedCase[];
  /** Where they were read. */
  readonly casesDir: string;
}

/** A command and its arguments; no shell is involved. */
export type Command = readonly [command: string, ...args: string[]];

/** An implementation that joins the suite, one row of `conformance/implementations.json`. */
export interface Implementation {
  readonly name: string;
  readonly language: string;
  /** Folder in which the commands run, relative to the repository, or absolute. */
  readonly path: string;
  /** Commands that run to their end before the runner starts. */
  readonly setup?: readonly Command[];
  /** Starts the runner. */
  readonly run: Command;
  /** The suites that it claims; an unsupported operation in one of them is a failure. */
  readonly suites: readonly string[];
}

/** Why a case failed. */
export type FailureReason =
  | "mismatch"
  | "unsupported"
  /** The runner ended while it held the case. */
  | "crash"
  /** No answer within the time. */
  | "no_answer"
  | "answered_twice"
  /** Its line names the case but is no answer, such as one with `NaN` in it. */
  | "not_an_answer"
  /** The runner was started too often and the run was given up before this case. */
  | "not_judged";

/** A case that failed, ready to be shown: long values are cut. */
export interface CaseFailure {
  readonly id: string;
  readonly suite: string;
  readonly operation: string;
  readonly rule: string;
  readonly reason: FailureReason;
  /** What is wrong, in words, with the place of the first difference. */
  readonly detail: string;
  readonly input: string;
  readonly expected: string;
  /** The answer, or null when there was none. */
  readonly got: string | null;
}

/** Something wrong with a run that belongs to no single case, such as a log line on stdout. */
export interface RunFault {
  readonly kind: "not_an_answer" | "crash" | "no_answer" | "exit" | "given_up";
  readonly detail: string;
}

/** Counts of one implementation in one suite. */
export interface SuiteCounts {
  readonly suite: string;
  readonly passed: number;
  readonly failed: number;
  readonly total: number;
  /** Ids of the cases that passed. */
  readonly passedIds: readonly string[];
}

/** What one implementation made of the suite. */
export interface ImplementationResult {
  readonly name: string;
  readonly language: string;
  /** `unavailable`: its set-up failed or its runner cannot start, so nothing was judged. */
  readonly outcome: "passed" | "failed" | "unavailable";
  /** One entry for each suite that was judged. */
  readonly suites: readonly SuiteCounts[];
  readonly failures: readonly CaseFailure[];
  readonly faults: readonly RunFault[];
  /** How often the runner had to be started again. */
  readonly restarts: number;
  /** The end of what the runner wrote to stderr, empty when all went well. */
  readonly stderr: string;
  /** What to do, when `outcome` is `unavailable`. */
  readonly unavailable: string | null;
}

/** The result of a run over one or more implementations. */
export interface ConformanceReport {
  readonly suite: { readonly version: string | null; readonly digest: string; readonly cases: number };
  /** `failed` when anything failed, else `unavailable` when an implementation was, else `passed`. */
  readonly outcome: "passed" | "failed" | "unavailable";
  readonly implementations: readonly ImplementationResult[];
}

/** Where a run stands, given after each judged case. */
export interface Progress {
  readonly implementation: string;
  readonly done: number;
  readonly total: number;
}
