/** How many tests or vectors ended how, as a tool's own report says. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** One named part of `npm test`. */
export interface Part {
  readonly name: string;
  /** Where the commands run, relative to the workspace. Default: its root. */
  readonly cwd?: string;
  /** Commands, run in order until one fails. `{report}` stands for the report's file. */
  readonly commands: readonly (readonly string[])[];
  /** Reads the counts out of the text of the report that the commands wrote. Absent: the part counts nothing. */
  readonly counts?: (report: string) => Counts;
  /** Why this machine cannot run the part; null when it can. Absent: every machine can. */
  readonly missing?: () => string | null | Promise<string | null>;
  /** Nothing after this part makes sense once it has failed. */
  readonly first?: true;
  /** Runs beside the others, after the `first` ones: for parts that wait more than they work. */
  readonly beside?: true;
  /** Runs with `--long` only. */
  readonly long?: true;
  /** Stopped, and failed, after so long. Default 600,000. */
  readonly limitMs?: number;
}

/** What became of a part. */
export interface Outcome {
  readonly name: string;
  readonly ok: boolean;
  readonly counts: Counts;
  /** Why it did not run; null when it did. */
  readonly skipped: string | null;
  readonly durationMs: number;
  /** The tail of what the commands printed. */
  readonly output: string;
}
