import type { CaseFailure, ConformanceReport, ImplementationResult, SuiteCounts } from "./types.js";

/**
 * Writes a report as JUnit XML: one test suite for each implementation and suite, one test case for each vector, and
 * one for the run itself, which fails on faults. An unavailable implementation is an error of its run.
 */
export function toJUnit(report: ConformanceReport): string {
  const { version, digest } = report.suite;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: `sinkwire conformance ${version ?? ""} ${digest}` })}>`,
    ...report.implementations.flatMap((row) => [
      ...row.suites.flatMap((counts) => suite(report, row, counts)),
      ...run(report, row),
    ]),
    "</testsuites>",
    "",
  ].join("\n");
}

function suite(report: ConformanceReport, row: ImplementationResult, counts: SuiteCounts): readonly string[] {
  const name = `${row.name}.${counts.suite}`;
  const failures = row.failures.filter((failure) => failure.suite === counts.suite);
  return [
    `  <testsuite${attributes({ name, tests: counts.total, failures: counts.failed, errors: 0 })}>`,
    ...properties(report),
    ...counts.passedIds.map((id) => `    <testcase${attributes({ classname: name, name: id })}/>`),
    ...failures.flatMap((failure) => [
      `    <testcase${attributes({ classname: name, name: failure.id })}>`,
      `      <failure${attributes({ type: failure.reason, message: failure.detail })}>${escapeXml(describe(failure))}</failure>`,
      "    </testcase>",
    ]),
    "  </testsuite>",
  ];
}

function run(report: ConformanceReport, row: ImplementationResult): readonly string[] {
  const name = `${row.name}.run`;
  const errors =
    row.unavailable === null ? [] : [`<error${attributes({ type: "unavailable", message: row.unavailable })}/>`];
  const faults = row.faults.map(({ kind, detail }) => `<failure${attributes({ type: kind, message: detail })}/>`);
  const counts = { tests: 1, failures: faults.length > 0 ? 1 : 0, errors: errors.length };
  return [
    `  <testsuite${attributes({ name, ...counts })}>`,
    ...properties(report),
    `    <testcase${attributes({ classname: name, name: "keeps the protocol" })}>`,
    ...[...errors, ...faults].map((line) => `      ${line}`),
    "    </testcase>",
    "  </testsuite>",
  ];
}

function properties({ suite: { version, digest } }: ConformanceReport): readonly string[] {
  return [
    "    <properties>",
    `      <property${attributes({ name: "suite.version", value: version ?? "" })}/>`,
    `      <property${attributes({ name: "suite.digest", value: digest })}/>`,
    "    </properties>",
  ];
}

function describe({ rule, input, expected, got }: CaseFailure): string {
  return `rule ${rule}\ninput ${input}\nexpected ${expected}\ngot ${got ?? "nothing"}`;
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value)).replaceAll("\n", "&#10;")}"`)
    .join("");
}

/** XML 1.0 cannot carry control characters and noncharacters at all, not even escaped. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n]|[\ufffe\uffff]/gu, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
