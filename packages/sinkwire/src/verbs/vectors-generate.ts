import type { Command } from "@commander-js/extra-typings";
import { EXIT } from "../io/exit.js";
import type { Shell } from "../shell.js";
import { referenceImplementation, showChanges } from "./vectors.js";

const EXAMPLES = `
Examples:
  $ sinkwire vectors generate && git diff conformance/cases`;

/** Adds `vectors generate`: writes the generated vectors anew. */
export function addVectorsGenerate(vectors: Command, shell: Shell): void {
  vectors
    .command("generate")
    .description(
      "Write what the encoder gives into the generated vectors. Look at the difference before you commit it.",
    )
    .option("--cases <folder>", "use the cases of this folder")
    .option("--json", "write the changes as one line of JSON")
    .addHelpText("after", EXAMPLES)
    .action(async ({ cases, json }) => {
      shell.json = json === true;
      const { generateVectors } = await import("@sinkwire/conformance");
      const changes = await generateVectors({
        casesDir: cases,
        implementation: await referenceImplementation(),
        signal: shell.signal,
      });
      await showChanges(changes, `${changes.length} vectors written anew`, shell);
      shell.exitCode = EXIT.ok;
    });
}
