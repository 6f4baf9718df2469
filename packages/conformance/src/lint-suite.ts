import { KINDS } from "./case-files.js";
import { lintCases, lintNumbers } from "./lint-cases.js";
import { lintCodes, lintPrecedence, lintRules } from "./lint-coverage.js";
import { loadErrorCodes } from "./load-error-codes.js";
import { collectCases } from "./load-suite.js";
import { locate } from "./locate.js";
import { readRules } from "./rules.js";
import type { CaseKind } from "./types.js";

/** What {@link lintSuite} found. */
export interface LintReport {
  /** Each in words, with its file or case; empty when the suite is sound. */
  readonly problems: readonly string[];
  /** Active cases per suite and kind. */
  readonly counts: readonly { readonly suite: string; readonly kinds: Readonly<Record<CaseKind, number>> }[];
  readonly total: number;
  readonly retired: number;
  /** Numbered rules of the README. */
  readonly rules: number;
}

/**
 * Checks the suite itself: schema, ids, folders, duplicate inputs, error codes that fit and are all reached, rules that
 * exist and are covered from both sides, the precedence of decode faults, sources of pinned cases.
 *
 * @param options - `casesDir`, as for {@link loadSuite}; the rules are the README's beside that folder
 * @throws {@link ConformanceError} `suite_unreadable` when cases or rules are not there, `suite_invalid` for a file that
 *   lies outside of the layout
 */
export function lintSuite(options: { readonly casesDir?: string | undefined } = {}): LintReport {
  const { casesDir, conformanceDir, schemasDir } = locate(options);
  const { cases: all, problems } = collectCases(casesDir, schemasDir);
  const cases = all.filter((one) => one.retired === undefined);
  const codes = loadErrorCodes();
  const rules = readRules(conformanceDir);
  const suites = [...new Set(cases.map((one) => one.suite))].sort();
  const count = (suite: string, kind: CaseKind): number =>
    cases.filter((one) => one.suite === suite && one.kind === kind).length;
  return {
    problems: [
      ...problems,
      ...lintNumbers(casesDir, new Set(all.map((one) => one.file))),
      ...lintCases(cases, codes),
      ...lintRules(cases, rules),
      ...lintCodes(cases, codes),
      ...lintPrecedence(cases),
    ],
    counts: suites.map((suite) => ({
      suite,
      kinds: Object.fromEntries(KINDS.map((kind) => [kind, count(suite, kind)])) as Record<CaseKind, number>,
    })),
    total: cases.length,
    retired: all.length - cases.length,
    rules: rules.length,
  };
}

/** Writes a lint report for a terminal: counts per suite and kind, then the problems. */
export function formatLint({ counts, total, retired, rules, problems }: LintReport): string {
  const width = Math.max(0, ...counts.map(({ suite }) => suite.length));
  return [
    ...counts.map(
      ({ suite, kinds }) => `${suite.padEnd(width)}  ${KINDS.map((kind) => `${kinds[kind]} ${kind}`).join(", ")}`,
    ),
    `${total} cases, ${retired} retired, ${rules} rules`,
    ...problems,
    problems.length === 0 ? "no problems" : `${problems.length} problems`,
  ].join("\n");
}
