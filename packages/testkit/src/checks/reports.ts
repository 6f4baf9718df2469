import type { Counts } from "./part.js";

/**
 * Counts of a vitest JSON report.
 *
 * @throws TypeError when it is not one
 */
export function vitestCounts(report: string): Counts {
  const json = JSON.parse(report) as Record<string, unknown>;
  return {
    passed: count(json["numPassedTests"]),
    failed: count(json["numFailedTests"]),
    skipped: count(json["numPendingTests"]) + count(json["numTodoTests"]),
  };
}

/**
 * Counts of a JUnit report, over all of its `<testsuite>` elements.
 *
 * @throws TypeError when it has none
 */
export function junitCounts(report: string): Counts {
  const suites = report.match(/<testsuite\s[^>]*>/g);
  if (suites === null) throw new TypeError("not a JUnit report");
  const sum = (name: string): number =>
    suites.reduce((total, suite) => total + Number(new RegExp(`\\s${name}="(\\d+)"`).exec(suite)?.[1] ?? 0), 0);
  const failed = sum("failures") + sum("errors");
  const skipped = sum("skipped");
  return { passed: sum("tests") - failed - skipped, failed, skipped };
}

function count(value: unknown): number {
  if (typeof value !== "number") throw new TypeError("not a vitest report");
  return value;
}
