import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { askRunner } from "./ask-runner.js";
import { readCaseFiles } from "./case-files.js";
import { ConformanceError } from "./errors.js";
import type { Reply } from "./exchange.js";
import { loadErrorCodes } from "./load-error-codes.js";
import { locate } from "./locate.js";
import { describeDifference } from "./outcome.js";
import { runSetup } from "./run-setup.js";
import type { ConformanceCase, Implementation, Outcome } from "./types.js";
import { caseValidator } from "./validate-case.js";

/** Which cases are generated, and by whom. */
export interface VectorsOptions {
  /** A folder of cases. Default: the repository's. */
  readonly casesDir?: string | undefined;
  /** Whose answers become the `expect`; the row named `typescript` in the repository. */
  readonly implementation: Implementation;
  readonly signal?: AbortSignal | undefined;
}

/** A generated case, or the format of a generated file, that is not what the implementation gives now. */
export interface VectorChange {
  /** Path below the cases folder. */
  readonly file: string;
  /** The case, or null when only the file's format differs. */
  readonly id: string | null;
  /** What differs, in words. */
  readonly detail: string;
}

type Draft = Omit<ConformanceCase, "expect"> & { readonly expect?: Outcome };

/**
 * Fills in the `expect` of every case under `generated/` from an implementation's answers and writes the files in one
 * format: two spaces, a line feed at the end. A case may lack its `expect` before; one that still agrees keeps it as it is.
 *
 * @returns what changed, empty when nothing did
 * @throws {@link ConformanceError} `generate_failed` when the implementation fails at a case, `suite_invalid` when a
 *   case breaks the schema; nothing is written then. `runner_unavailable` when it cannot start.
 * @throws the signal's reason when it is aborted
 */
export async function generateVectors(options: VectorsOptions): Promise<readonly VectorChange[]> {
  const { casesDir, files } = await regenerate(options);
  for (const { file, text, changes } of files) if (changes.length > 0) writeFileSync(join(casesDir, file), text);
  return files.flatMap(({ changes }) => changes);
}

/**
 * As {@link generateVectors}, without writing: the drift between the files and the implementation.
 *
 * @returns what `generateVectors` would change, empty when there is no drift
 */
export async function checkVectors(options: VectorsOptions): Promise<readonly VectorChange[]> {
  return (await regenerate(options)).files.flatMap(({ changes }) => changes);
}

interface RegeneratedFile {
  readonly file: string;
  readonly text: string;
  readonly changes: readonly VectorChange[];
}

async function regenerate(
  options: VectorsOptions,
): Promise<{ readonly casesDir: string; readonly files: readonly RegeneratedFile[] }> {
  const { implementation, signal } = options;
  const { casesDir, schemasDir } = locate(options);
  const files = readCaseFiles(casesDir).filter(({ kind }) => kind === "generated");
  const drafts = files.flatMap(({ cases }) => cases as readonly Draft[]).filter((draft) => draft.retired === undefined);
  await runSetup(implementation, signal);
  const asked = await askRunner(drafts, { command: implementation.run, cwd: resolve(implementation.path), signal });
  const [fault] = asked.faults;
  if (fault !== undefined) throw failed(`${fault.kind}: ${fault.detail}`);

  const codes = new Set(loadErrorCodes().map(({ code }) => code));
  const problemOf = caseValidator(schemasDir);
  return {
    casesDir,
    files: files.map(({ file, cases }) => {
      const changes: VectorChange[] = [];
      const complete = (cases as readonly Draft[]).map((draft) => {
        if (draft.retired !== undefined) return draft;
        const outcome = outcomeOf(draft.id, asked.replies.get(draft.id), codes);
        const detail = draft.expect === undefined ? "new" : describeDifference(draft.expect, outcome);
        if (detail !== null) changes.push({ file, id: draft.id, detail });
        const one = detail === null ? draft : { ...draft, expect: outcome };
        const problem = problemOf(one);
        if (problem !== null) throw new ConformanceError("suite_invalid", `${file}, ${draft.id}: ${problem}`);
        return one;
      });
      const text = `${JSON.stringify(complete, null, 2)}\n`;
      if (changes.length === 0 && text !== readFileSync(join(casesDir, file), "utf8")) {
        changes.push({ file, id: null, detail: "is not in the format that is generated" });
      }
      return { file, text, changes };
    }),
  };
}

function outcomeOf(id: string, reply: Reply | undefined, codes: ReadonlySet<string>): Outcome {
  if (reply?.kind === "ok") return { ok: reply.ok };
  if (reply?.kind === "error" && codes.has(reply.error.code)) {
    const { code, field, retryable } = reply.error;
    return { error: { code, field, retryable } };
  }
  const got = reply?.kind === "error" ? `the error ${reply.error.code}, which is not on the list` : reply?.kind;
  throw failed(`${id}: the implementation gave ${got ?? "nothing"}`);
}

function failed(message: string): ConformanceError {
  return new ConformanceError("generate_failed", message);
}
