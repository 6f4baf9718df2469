import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ConformanceError } from "./errors.js";

/** One numbered rule of `conformance/README.md`. */
export interface Rule {
  readonly id: string;
  readonly text: string;
  /** Which cases prove it: accepted and refused, either one, or none since something else tests it. */
  readonly sides: "both" | "one" | "none";
}

/** `- **1.2-1** text`, until the next item, heading or blank line. */
const RULE = /^- \*\*([0-9]+(?:\.[0-9]+)*-[0-9]+)\*\* (.*(?:\n(?![-#]|\n|\s*- ).*)*)/gm;

/** Reads the rules, in the order in which they stand. `(one-sided: why)` and `(not a vector: why)` mark exceptions. */
export function readRules(conformanceDir: string): readonly Rule[] {
  const file = join(conformanceDir, "README.md");
  if (!existsSync(file)) throw new ConformanceError("suite_unreadable", `${file} is not there: it holds the rules`);
  return [...readFileSync(file, "utf8").matchAll(RULE)].map(([, id = "", text = ""]) => ({
    id,
    text,
    sides: sidesOf(text),
  }));
}

function sidesOf(text: string): Rule["sides"] {
  if (/\(not a vector: [^)]+\)/.test(text)) return "none";
  return /\(one-sided: [^)]+\)/.test(text) ? "one" : "both";
}
