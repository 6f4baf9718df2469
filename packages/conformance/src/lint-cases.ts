import { readFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalJson } from "./canonical-json.js";
import type { ErrorCode } from "./load-error-codes.js";
import type { Json, LoadedCase } from "./types.js";

/** How a pinned case says where it was taken from. */
const SOURCE = /\b(rules? [0-9]+(\.[0-9]+)*(-[0-9]+)?|RFC [0-9]+|seed|example message|reference text)\b/i;
/** Inputs that are bytes under test, never invalid base64 themselves. */
const BYTES: readonly string[] = ["bytes_base64", "pack_base64"];

/** What is wrong with cases one by one, and twice the same input. */
export function lintCases(cases: readonly LoadedCase[], codes: readonly ErrorCode[]): readonly string[] {
  const known = new Map(codes.map((entry) => [entry.code, entry]));
  const problems = cases.flatMap((one) => lintCase(one, known).map((problem) => `${one.file}, ${one.id}: ${problem}`));
  return [...problems, ...duplicateInputs(cases)];
}

/**
 * Numbers that parsers of other languages, or a rewrite of the file, could read as something else.
 *
 * @param files - paths below `casesDir`
 */
export function lintNumbers(casesDir: string, files: Iterable<string>): readonly string[] {
  const problems: string[] = [];
  for (const file of files) {
    const outsideStrings = readFileSync(join(casesDir, file), "utf8").replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, "");
    for (const [number] of outsideStrings.matchAll(/-?[0-9][0-9.eE+-]*/g)) {
      if (String(Number(number)) !== number)
        problems.push(`${file}: write ${number} in its shortest form, or as bytes`);
    }
  }
  return problems;
}

function lintCase(one: LoadedCase, codes: ReadonlyMap<string, ErrorCode>): readonly string[] {
  const problems: string[] = [];
  if (one.kind === "pinned" && !SOURCE.test(one.comment)) {
    problems.push("a pinned case names its source in the comment, such as a rule or an RFC");
  }
  if (!isWellFormed(one as unknown as Json))
    problems.push('write a string that is not well-formed as {"$utf16": [...]}');
  for (const name of BYTES) {
    const text = one.input[name];
    if (typeof text === "string" && Buffer.from(text, "base64").toString("base64") !== text) {
      problems.push(`${name} is not base64`);
    }
  }
  const { error } = one.expect;
  if (error !== undefined) problems.push(...lintError(one.operation, error, codes));
  return problems;
}

function lintError(
  operation: string,
  error: NonNullable<LoadedCase["expect"]["error"]>,
  codes: ReadonlyMap<string, ErrorCode>,
): readonly string[] {
  const entry = codes.get(error.code);
  if (entry === undefined) return [`no error code ${error.code}`];
  const problems: string[] = [];
  if (!entry.operations.includes(operation)) problems.push(`${operation} cannot give ${error.code}`);
  if (entry.retryable !== error.retryable) problems.push(`${error.code} is ${entry.retryable ? "" : "not "}retryable`);
  if ((entry.field === null) !== (error.field === null)) {
    problems.push(entry.field === null ? `${error.code} has no field` : `${error.code} has to name a field`);
  }
  return problems;
}

function duplicateInputs(cases: readonly LoadedCase[]): readonly string[] {
  const first = new Map<string, string>();
  const problems: string[] = [];
  for (const { id, operation, input } of cases) {
    const key = `${operation} ${canonicalJson(input)}`;
    const twin = first.get(key);
    if (twin === undefined) first.set(key, id);
    else problems.push(`${id} has the input of ${twin}`);
  }
  return problems;
}

function isWellFormed(value: Json): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([name, member]) => name.isWellFormed() && isWellFormed(member as Json));
}
