/** Exit codes of the command. */
export const EXIT = {
  ok: 0,
  /** A message, vector or suite was refused. */
  refused: 1,
  /** The command was given what it cannot use. */
  usage: 2,
  /** Something that it needs cannot be reached now: a gateway, a store, a runner. */
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

/** Standard output was closed by its reader, as `| head -1` does: a clean end, exit code 0. */
export class OutputClosed extends Error {
  override readonly name: string = "OutputClosed";
}
