import type { Command } from "@commander-js/extra-typings";
import { UsageError } from "../io/exit.js";
import { parseCount } from "../io/flags.js";
import { addHookFlags, encodeHook, hookFlagsOf } from "../io/hook-flags.js";
import { publishItems } from "../publish/publish-items.js";
import { readItems } from "../publish/read-items.js";
import type { Shell } from "../shell.js";
import { ADDRESSES, chooseTransport } from "../transports/index.js";

const EXAMPLES = `
Addresses:
${ADDRESSES}

Examples:
  $ sinkwire publish nats://127.0.0.1/hooks message.json
  $ sinkwire publish redis://127.0.0.1/hooks --id evt_1 --source github --tenant acme payload.json
  $ sinkwire publish --json nats://127.0.0.1/hooks < hooks.ndjson | jq -r .receipt.id
  $ sinkwire tail --json --since 1h nats://old/hooks | sinkwire publish redis://new/hooks

Without --id the input is messages, one or one a line; with --id it is a payload, and the flags say the rest as for
encode. Each published message is a line, with the server's own id for it. A message that is refused for good does not
stop the rest; at the first failure that may pass the command stops and says at which line. "outcome unknown" is a
message that the server may have all the same. Streams, topics and queues are never made. A password in the URL can be
read by other users of this machine while the command runs.`;

/** Adds `publish`: publishes messages, or a hook. */
export function addPublish(program: Command, shell: Shell): void {
  const command = program
    .command("publish")
    .description("Publish messages, or the hook of a payload.")
    .argument("<url>", "where to")
    .argument("[file]", "messages, or with --id a payload; standard input when it is left out or -");
  addHookFlags(command, { required: false });
  command
    .option(
      "--in-flight <n>",
      "how many may be unconfirmed at once; after a failure later ones may be there",
      parseCount,
      1,
    )
    .option("--json", "write each receipt or failure as one line of JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (url, file, { inFlight, json }) => {
      shell.json = json === true;
      if (inFlight < 1) throw new UsageError("--in-flight is at least 1");
      const { entry, address } = chooseTransport(url);
      const hook = hookFlagsOf(command);
      const encoded = hook.id === undefined ? null : await encodeHook(hook, file, shell);
      const items = encoded === null ? readItems(file, shell) : [{ line: null, id: hook.id ?? "", message: encoded }];
      const publisher = await (await entry.load()).publisher(address);
      try {
        shell.exitCode = await publishItems(items, publisher, { json: json === true, inFlight }, shell);
      } finally {
        await publisher.close();
      }
    });
}
