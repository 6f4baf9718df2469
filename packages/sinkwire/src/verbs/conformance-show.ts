import type { Command } from "@commander-js/extra-typings";
import { EXIT, UsageError } from "../io/exit.js";
import type { Shell } from "../shell.js";

const EXAMPLES = `
Examples:
  $ sinkwire conformance show message.decode.reject.bom
  $ sinkwire conformance show --json message.decode.reject.bom | jq .input`;

/** Adds `conformance show`: prints one case. */
export function addConformanceShow(conformance: Command, shell: Shell): void {
  conformance
    .command("show")
    .description("Show one case: its rule, why it exists, its input and what is expected.")
    .argument("<id>", "the id of a case")
    .option("--cases <folder>", "use the cases of this folder")
    .option("--json", "write the case as one line of JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (id, { cases, json }) => {
      shell.json = json === true;
      const { loadSuite, showCase } = await import("@sinkwire/conformance");
      const suite = loadSuite({ casesDir: cases });
      const found = suite.cases.find((one) => one.id === id);
      if (found === undefined)
        throw new UsageError(
          `there is no case ${id}${suggestion(
            id,
            suite.cases.map((one) => one.id),
          )}`,
        );
      await shell.out.line((json === true ? JSON.stringify(found) : showCase(suite, id)).trimEnd());
      shell.exitCode = EXIT.ok;
    });
}

function suggestion(id: string, ids: readonly string[]): string {
  const near = ids.filter((other) => other.includes(id)).slice(0, 5);
  return near.length === 0 ? "" : `; ids that contain it: ${near.join(", ")}`;
}
