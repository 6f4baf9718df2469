import type { Command } from "@commander-js/extra-typings";
import { type Explanation, explainBytes } from "../explain/explain-bytes.js";
import { formatExplanation } from "../explain/format-explanation.js";
import { EXIT, UsageError } from "../io/exit.js";
import { DEFAULT_MAX_BYTES, parseCount } from "../io/flags.js";
import { type Input, openInput, readAll } from "../io/input.js";
import { readLines } from "../io/lines.js";
import { printable } from "../io/style.js";
import type { Shell } from "../shell.js";

const EXAMPLES = `
Examples:
  $ sinkwire explain message.json
  $ kcat -C -t hooks -o 1234 -c 1 | sinkwire explain
  $ sinkwire explain --line 17 hooks.ndjson
  $ sinkwire explain --json message.json | jq .refusal.rule

It says which rule refuses the bytes, where, the likely cause (framing, charset, compression, envelopes of SNS,
EventBridge, Pub/Sub and others, double encoding …) and what to do; a good message is described. What it shows of the
input can hold what the input holds: look before you paste it elsewhere.`;

/** Adds `explain`: says what bytes are, and what to do if they are no message. */
export function addExplain(program: Command, shell: Shell): void {
  program
    .command("explain")
    .description("Say what is wrong with a message, where, why, and what to do.")
    .argument("[file]", "a file; standard input when it is left out or -")
    .option("--line <n>", "explain this line of a file of one message a line", parseCount)
    .option("--max-bytes <n>", "largest message, in bytes", parseCount, DEFAULT_MAX_BYTES)
    .option("--json", "write one line of JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (file, { json, line, maxBytes }) => {
      shell.json = json === true;
      const input = openInput(file, shell.signal);
      const bytes = line === undefined ? await readAll(input, maxBytes) : await lineOf(input, line, maxBytes);
      const explanation = explainBytes(bytes, maxBytes);
      const name = line === undefined ? input.name : `line ${line} of ${input.name}`;
      await show(explanation, printable(name), json === true, shell);
      shell.exitCode = explanation.verdict === "message" ? EXIT.ok : EXIT.refused;
    });
}

async function lineOf(input: Input, wanted: number, maxBytes: number): Promise<Uint8Array> {
  for await (const { number, bytes } of readLines(input.chunks, maxBytes)) if (number === wanted) return bytes;
  throw new UsageError(`${input.name} has no line ${wanted}`);
}

async function show(explanation: Explanation, name: string, json: boolean, { out, style }: Shell): Promise<void> {
  if (json) {
    await out.line(JSON.stringify(withoutExcerpt(explanation)));
    return;
  }
  for (const line of formatExplanation(explanation, name, style)) await out.line(line);
}

/** The excerpt is for eyes: `place` says the same to a machine. */
function withoutExcerpt({ excerpt: _, inner, facts, ...rest }: Explanation): object {
  return { ...rest, facts: Object.fromEntries(facts), inner: inner === null ? null : withoutExcerpt(inner) };
}
