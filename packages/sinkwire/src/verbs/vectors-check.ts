import type { Command } from "@commander-js/extra-typings";
import { EXIT } from "../io/exit.js";
import type { Shell } from "../shell.js";
import { referenceImplementation, showChanges } from "./vectors.js";

const EXAMPLES = `
Examples:
  $ sinkwire vectors check
  $ sinkwire vectors check --json | jq -r '.changes[].id'`;

/** Adds `vectors check`: fails when the encoder would generate other vectors. */
export function addVectorsCheck(vectors: Command, shell: Shell): void {
  vectors
    .command("check")
    .description("Fail when the generated vectors are not what the encoder gives now.")
    .option("--cases <folder>", "use the cases of this folder")
    .option("--json", "write the differences as one line of JSON")
    .addHelpText("after", EXAMPLES)
    .action(async ({ cases, json }) => {
      shell.json = json === true;
      const { checkVectors } = await import("@sinkwire/conformance");
      const changes = await checkVectors({
        casesDir: cases,
        implementation: await referenceImplementation(),
        signal: shell.signal,
      });
      const drifted = `${changes.length} generated vectors differ: \`sinkwire vectors generate\` writes them anew, if that is what was meant`;
      await showChanges(changes, changes.length === 0 ? "the generated vectors are up to date" : drifted, shell);
      shell.exitCode = changes.length === 0 ? EXIT.ok : EXIT.refused;
    });
}
