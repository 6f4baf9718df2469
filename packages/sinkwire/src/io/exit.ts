/** Exit codes of the command. */
export const EXIT = {
  ok: 0,
  /** A message, vector or suite was refused. */
  refused: 1,
  /** The command was given what it cannot use. */
  usage: 2,
  /** Something that it needs cannot be reached or written now: a gateway, a store, a runner, an output. */
  unavailable: 3,
  /** A fault of the command itself. */
  bug: 70,
} as const;

/** One of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A fault in how the command was called: shown without a stack, exit code 2. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

/** A server or a package that is needed is not there now: shown without a stack, exit code 3. */
export class Unreachable extends Error {
  override readonly name: string = "Unreachable";
}

/** A stream was closed by its reader, as `| head -1` does: a clean end. */
export class OutputClosed extends Error {
  override readonly name: string = "OutputClosed";

  /**
   * @param stream - for people: `standard output`
   * @param exitCode - what to end with: nobody closes standard error before something was refused on it
   */
  constructor(
    stream: string,
    readonly exitCode: ExitCode,
  ) {
    super(`the reader closed ${stream}`);
  }
}

/** Results cannot be written, as on a full disk: shown without a stack, exit code 3. */
export class OutputFailed extends Error {
  override readonly name: string = "OutputFailed";

  /**
   * @param output - for people: a file's name or `standard output`
   * @param cause - what the system says
   */
  constructor(output: string, cause: unknown) {
    super(`${output} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
