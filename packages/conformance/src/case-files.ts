import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ConformanceError } from "./errors.js";
import { readJson } from "./locate.js";
import type { CaseKind } from "./types.js";

/** The kinds of a case, which are the folders of a suite. */
export const KINDS: readonly CaseKind[] = ["pinned", "generated", "found"];

/** One file of cases, not yet checked. */
export interface CaseFile {
  /** Path below the cases folder, with `/`. */
  readonly file: string;
  readonly suite: string;
  readonly kind: CaseKind;
  readonly cases: readonly unknown[];
}

/**
 * Reads every `<suite>/{pinned,generated,found}/<topic>.json` of a cases folder, in order of path.
 *
 * @throws {@link ConformanceError} `suite_invalid` for a file elsewhere or one that is no array
 */
export function readCaseFiles(casesDir: string): readonly CaseFile[] {
  const paths = readdirSync(casesDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(casesDir.length + 1)
        .replaceAll("\\", "/"),
    )
    .sort();
  return paths.map((file) => {
    const [suite, kind, topic, ...rest] = file.split("/");
    if (!isKind(kind) || suite === undefined || topic === undefined || rest.length > 0 || !topic.endsWith(".json")) {
      throw new ConformanceError("suite_invalid", `${file} is not <suite>/{${KINDS.join(",")}}/<topic>.json`);
    }
    const cases = readJson(join(casesDir, file));
    if (!Array.isArray(cases)) throw new ConformanceError("suite_invalid", `${file} is not an array of cases`);
    return { file, suite, kind, cases };
  });
}

function isKind(kind: string | undefined): kind is CaseKind {
  return KINDS.some((known) => known === kind);
}
