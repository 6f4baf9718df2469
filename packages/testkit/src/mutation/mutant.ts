/** One rule of the codec, broken. */
export interface Mutant {
  /** What is broken, in words. */
  readonly name: string;
  /** Source file below `packages/`. */
  readonly file: string;
  /** Text that stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}

/** Mutants of one source file: name, text to find, text in its place. */
export function mutantsOf(file: string, rows: readonly (readonly [string, string, string])[]): readonly Mutant[] {
  return rows.map(([name, find, replace]) => ({ name, file, find, replace }));
}
