import type { Command } from "@commander-js/extra-typings";
import type { EncodedMessage } from "@sinkwire/message";
import { addHookFlags, encodeHook, hookFlagsOf } from "../io/hook-flags.js";
import type { Shell } from "../shell.js";

const EXAMPLES = `
Examples:
  $ sinkwire encode payload.json --id evt_1 --source github --tenant acme \\
      --content-type application/json --header 'X-GitHub-Event: push'
  $ sinkwire encode - --id evt_1 --source github < payload.json | kcat -P -t hooks
  $ sinkwire encode large.json --id evt_2 --source github --tenant acme --store ./claims
  $ sinkwire encode large.json --id evt_2 --source github --tenant acme \\
      --claim-ref urn:ankusa:claim:v1:acme:01M39VMD8RA3C5HR4RBV67Y002 --claim-sha256 "$(sha256sum < large.json | cut -c -64)"

The canonical bytes and a newline are written; --no-newline leaves the newline out. Credentials among the headers
(Authorization, Cookie …) are never forwarded.`;

/** Adds `encode`: writes the message of a payload. */
export function addEncode(program: Command, shell: Shell): void {
  const command = program
    .command("encode")
    .description("Write the message of a webhook payload.")
    .argument("<payload>", "a file that holds the body's bytes; - for standard input");
  addHookFlags(command, { required: true });
  command
    .option("--no-newline", "write the canonical bytes alone")
    .option("--json", "write one line of JSON about the message, with the message in it")
    .addHelpText("after", EXAMPLES)
    .action(async (payload, flags) => {
      shell.json = flags.json === true;
      const encoded = await encodeHook(hookFlagsOf(command), payload, shell);
      await write(encoded, flags.json === true, flags.newline, shell);
    });
}

async function write(
  { bytes, form, size, dropped }: EncodedMessage,
  json: boolean,
  newline: boolean,
  { out }: Shell,
): Promise<void> {
  if (json) {
    const message: unknown = JSON.parse(Buffer.from(bytes).toString());
    await out.line(JSON.stringify({ form, size, dropped, message }));
    return;
  }
  await out.write(bytes);
  if (newline) await out.write("\n");
}
