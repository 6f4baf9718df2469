import type { ExitCode } from "./io/exit.js";
import type { Output } from "./io/output.js";
import type { Style } from "./io/style.js";

/** What a verb works with: its output, its style, when to stop. */
export interface Shell {
  /** Standard output: results. */
  readonly out: Output;
  /** Style for standard output. */
  readonly style: Style;
  /** Standard error: what goes wrong, progress. */
  readonly err: NodeJS.WriteStream;
  /** Style for standard error. */
  readonly errStyle: Style;
  /** Aborted by SIGINT, SIGTERM, and when standard output or standard error cannot be written any more. */
  readonly signal: AbortSignal;
  /** Set by the verb when it is done. Default 0. */
  exitCode: ExitCode;
  /** Whether an error is to be written as JSON, too. */
  json: boolean;
  /** What to do about the error that is thrown, told after it. */
  advice: string | null;
}
