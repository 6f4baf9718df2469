import type { Command } from "@commander-js/extra-typings";
import { EXIT } from "../io/exit.js";
import type { Shell } from "../shell.js";

const EXAMPLES = `
Examples:
  $ sinkwire conformance lint
  $ sinkwire conformance lint --json | jq .problems`;

/** Adds `conformance lint`: checks the suite itself. */
export function addConformanceLint(conformance: Command, shell: Shell): void {
  conformance
    .command("lint")
    .description("Check the suite itself: schema, ids, duplicates, every rule and code covered from both sides.")
    .option("--cases <folder>", "use the cases of this folder")
    .option("--json", "write the findings as one line of JSON")
    .addHelpText("after", EXAMPLES)
    .action(async ({ cases, json }) => {
      shell.json = json === true;
      const { formatLint, lintSuite } = await import("@sinkwire/conformance");
      const report = lintSuite({ casesDir: cases });
      await shell.out.line((json === true ? JSON.stringify(report) : formatLint(report)).trimEnd());
      shell.exitCode = report.problems.length === 0 ? EXIT.ok : EXIT.refused;
    });
}
