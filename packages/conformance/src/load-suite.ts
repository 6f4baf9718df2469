import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { canonicalJson } from "./canonical-json.js";
import { readCaseFiles } from "./case-files.js";
import { ConformanceError } from "./errors.js";
import { locate, readJson } from "./locate.js";
import type { ConformanceCase, ConformanceSuite, Json, LoadedCase } from "./types.js";
import { caseValidator } from "./validate-case.js";

/**
 * Loads and checks all vectors.
 *
 * @param options - `casesDir`: a folder of cases; default the repository's when the working folder is inside it, else
 *   the ones that this package carries
 * @returns the cases in order of id, with the suite's version and digest
 * @throws {@link ConformanceError} `suite_unreadable` when nothing is found, `suite_invalid` when a case breaks the
 *   schema, lies in the wrong folder or shares its id
 */
export function loadSuite(options: { readonly casesDir?: string | undefined } = {}): ConformanceSuite {
  const { casesDir, conformanceDir, schemasDir } = locate(options);
  const { cases, problems } = collectCases(casesDir, schemasDir);
  if (problems.length > 0) {
    const more = problems.length === 1 ? "" : ` (and ${problems.length - 1} more)`;
    throw invalid(`${problems[0]}${more}`);
  }
  return { version: versionOf(conformanceDir), digest: digestOf(cases), cases, casesDir };
}

/** Reads all cases in order of id, with what is wrong with those that cannot be taken. */
export function collectCases(
  casesDir: string,
  schemasDir: string,
): { readonly cases: readonly LoadedCase[]; readonly problems: readonly string[] } {
  const problemOf = caseValidator(schemasDir);
  const byId = new Map<string, LoadedCase>();
  const problems: string[] = [];
  for (const { file, suite, kind, cases } of readCaseFiles(casesDir)) {
    for (const [index, value] of cases.entries()) {
      const problem = problemOf(value);
      const one = value as ConformanceCase;
      if (problem !== null) problems.push(`${file}, ${nameOf(value) ?? `case ${index + 1}`}: ${problem}`);
      else if (one.suite !== suite) problems.push(`${file}, ${one.id}: suite ${one.suite} in the folder of ${suite}`);
      else if (byId.has(one.id)) problems.push(`${one.id} is in ${byId.get(one.id)?.file} and in ${file}`);
      else byId.set(one.id, { ...one, kind, file });
    }
  }
  return { cases: [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1)), problems };
}

/** The cases that are judged: all but the retired ones. */
export function activeCases(suite: ConformanceSuite): readonly LoadedCase[] {
  return suite.cases.filter((one) => one.retired === undefined);
}

/** Neither the layout of the files nor their white space counts, only what the cases say. */
function digestOf(cases: readonly LoadedCase[]): string {
  const hash = createHash("sha256");
  for (const { kind: _kind, file: _file, ...one } of cases) hash.update(`${canonicalJson(one as unknown as Json)}\n`);
  return hash.digest("hex");
}

function versionOf(conformanceDir: string): string | null {
  const file = join(conformanceDir, "suite.json");
  if (!existsSync(file)) return null;
  const { version } = readJson(file) as { version?: unknown };
  if (typeof version !== "string") throw invalid(`${file} has no version`);
  return version;
}

function nameOf(value: unknown): string | null {
  const id = (value as { id?: unknown } | null)?.id;
  return typeof id === "string" ? id : null;
}

function invalid(message: string): ConformanceError {
  return new ConformanceError("suite_invalid", message);
}
