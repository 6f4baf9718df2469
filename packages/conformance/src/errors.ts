/** What can go wrong outside the judging itself. A vector that fails is a result, never an error. */
export type ConformanceErrorCode =
  /** The cases, rules, codes or implementations cannot be found or read. */
  | "suite_unreadable"
  /** A file of the suite breaks its schema. */
  | "suite_invalid"
  /** No case has this id. */
  | "unknown_case"
  /** A runner's set-up failed or its command cannot be started: nothing was judged. */
  | "runner_unavailable"
  /** An implementation could not answer what it was asked to generate. */
  | "generate_failed";

/** An error of the conformance tooling; `code` tells which, the message says what to do. */
export class ConformanceError extends Error {
  /** Which of the errors it is. */
  readonly code: ConformanceErrorCode;

  constructor(code: ConformanceErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = "ConformanceError";
    this.code = code;
  }
}
