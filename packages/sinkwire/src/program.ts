import { Command } from "@commander-js/extra-typings";
import type { Command as AnyCommand } from "commander";
import { UsageError } from "./io/exit.js";
import { parseHeader, parseRepeated } from "./io/flags.js";
import type { Shell } from "./shell.js";
import { addAsyncApi } from "./verbs/asyncapi.js";
import { addConformanceLint } from "./verbs/conformance-lint.js";
import { addConformanceRun } from "./verbs/conformance-run.js";
import { addConformanceShow } from "./verbs/conformance-show.js";
import { addDecode } from "./verbs/decode.js";
import { addDoctor } from "./verbs/doctor.js";
import { addEncode } from "./verbs/encode.js";
import { addExplain } from "./verbs/explain.js";
import { addGateway } from "./verbs/gateway.js";
import { addPublish } from "./verbs/publish.js";
import { addTail } from "./verbs/tail.js";
import { addVectorsCheck } from "./verbs/vectors-check.js";
import { addVectorsGenerate } from "./verbs/vectors-generate.js";

/** Thrown by `--version`, which nothing else is to follow. */
export class VersionAsked extends Error {
  override readonly name: string = "VersionAsked";
}

/** Builds the command line: every verb with its options and help. */
export function buildProgram(shell: Shell): Command {
  const program = new Command("sinkwire")
    .description(
      "One wire format for webhook messages on queues: read it, write it, and hold any implementation to it.",
    )
    .exitOverride()
    .configureOutput({ writeErr: (text) => shell.err.write(text) })
    .showSuggestionAfterError()
    .helpCommand(false)
    .option("-V, --version", "show the version, and the version and digest of the conformance suite")
    .addHelpText(
      "after",
      "\nExit codes: 0 done, 1 a message or vector was refused, 2 wrong usage, 3 something needed cannot be reached or written, 70 a fault of sinkwire itself.",
    );
  program.on("option:version", () => {
    throw new VersionAsked();
  });

  addDecode(program, shell);
  addEncode(program, shell);
  addExplain(program, shell);
  addPublish(program, shell);
  addTail(program, shell);
  addGateway(program, shell);
  addDoctor(program, shell);
  addAsyncApi(program, shell);

  const conformance = program.command("conformance").description("Hold implementations to the vectors.");
  addConformanceRun(conformance, shell);
  addConformanceShow(conformance, shell);
  addConformanceLint(conformance, shell);

  const vectors = program.command("vectors").description("Keep the generated vectors in step with the encoder.");
  addVectorsGenerate(vectors, shell);
  addVectorsCheck(vectors, shell);
  refuseRepeated(program as unknown as AnyCommand);
  return program;
}

/** Refuses an option that is given twice, where else the last one would win in silence. */
function refuseRepeated(command: AnyCommand): void {
  for (const option of command.options) {
    if (option.parseArg === parseHeader || option.parseArg === parseRepeated) continue;
    let given = false;
    command.on(`option:${option.name()}`, () => {
      if (given) throw new UsageError(`${option.long} is given twice`);
      given = true;
    });
  }
  for (const verb of command.commands) refuseRepeated(verb);
}
