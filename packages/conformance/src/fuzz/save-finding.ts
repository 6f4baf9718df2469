import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalJson } from "../canonical-json.js";
import type { Finding } from "./examine.js";

/** A finding in its file. */
export interface SavedFinding extends Finding {
  /** Id of the case, the same whenever the same input is found. */
  readonly id: string;
  readonly file: string;
}

/**
 * Writes a finding as a case under `<casesDir>/<suite>/found/`. Its `rule` and `expect` are left open, with what was
 * answered in their place: such a case breaks the schema, so nothing passes until a person has decided it.
 */
export function saveFinding(finding: Finding, suite: string, casesDir: string): SavedFinding {
  const { operation, input, detail, answers } = finding;
  const digest = createHash("sha256")
    .update(`${operation} ${canonicalJson(input)}`)
    .digest("hex")
    .slice(0, 12);
  const id = `${suite}.${operation}.found.${digest}`;
  const folder = join(casesDir, suite, "found");
  const file = join(folder, `${operation}-${digest}.json`);
  const comment = `Found by fuzzing, undecided: ${detail}`.replace(/\s+/g, " ").slice(0, 300);
  const open = { id, suite, operation, rule: null, comment, input, expect: { undecided: answers } };
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify([open], null, 2)}\n`);
  return { ...finding, id, file };
}
