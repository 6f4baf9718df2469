import type { Command } from "@commander-js/extra-typings";
import type { Channel } from "@sinkwire/asyncapi";
import { UsageError } from "../io/exit.js";
import { openInput, readAll } from "../io/input.js";
import type { Shell } from "../shell.js";

/** Far over any list of channels that a person or a deployment writes. */
const MAX_CONFIG_BYTES = 8 * 1024 * 1024;

const EXAMPLES = `
Examples:
  $ sinkwire asyncapi --config channels.json > asyncapi.json

channels.json:
  {
    "title": "Webhooks of acme",
    "channels": [
      { "transport": "kafka", "servers": ["kafka://broker:9092"], "topic": "hooks", "source": "github" },
      { "transport": "sqs", "queueUrl": "https://sqs.eu-central-1.amazonaws.com/123456789012/hooks.fifo" }
    ]
  }

The same channels give the same document, in whatever order they stand. URLs with credentials are refused.`;

/** Adds `asyncapi`: writes the AsyncAPI document of a list of channels. */
export function addAsyncApi(program: Command, shell: Shell): void {
  program
    .command("asyncapi")
    .description("Write the AsyncAPI 3.0 document of the channels that messages travel on.")
    .requiredOption("--config <file>", "title, version, description and channels as JSON; - for standard input")
    .option("--json", "write the document as one line of JSON")
    .addHelpText("after", EXAMPLES)
    .action(async ({ config, json }) => {
      shell.json = json === true;
      const { channels, ...options } = await readConfig(config, shell.signal);
      const { buildAsyncApi } = await import("@sinkwire/asyncapi");
      const document = buildAsyncApi(channels as readonly Channel[], options);
      await shell.out.line(json === true ? JSON.stringify(document) : JSON.stringify(document, null, 2));
    });
}

/** The JSON object in a file. What the parser says of it is not shown: it would quote the file, and that may be secret. */
async function readConfig(file: string, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>> {
  const input = openInput(file, signal);
  const bytes = await readAll(input, MAX_CONFIG_BYTES);
  if (bytes.length > MAX_CONFIG_BYTES) throw new UsageError(`${input.name} is over ${MAX_CONFIG_BYTES} bytes`);
  let config: unknown;
  try {
    config = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new UsageError(`${input.name} is not JSON in UTF-8`);
  }
  if (typeof config !== "object" || config === null || Array.isArray(config)) {
    throw new UsageError(`${input.name} holds no JSON object`);
  }
  return config as Readonly<Record<string, unknown>>;
}
