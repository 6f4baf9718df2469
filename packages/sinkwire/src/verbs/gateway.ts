import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Command } from "@commander-js/extra-typings";
import { createGateway } from "@sinkwire/claim-check";
import { fileStore, gatewayListener } from "@sinkwire/claim-check/node";
import { UsageError } from "../io/exit.js";
import { parseCount } from "../io/flags.js";
import type { Shell } from "../shell.js";

/** How long unfinished requests may take once the gateway is to stop. */
const GRACE_MS = 5_000;

const EXAMPLES = `
Examples:
  $ sinkwire gateway ./claims --port 8080
  $ curl http://127.0.0.1:8080/health

It listens on 127.0.0.1 alone and lets every local user read; put your own server with an authorize hook
(createGateway of @sinkwire/claim-check) where others can reach it. It runs until SIGINT or SIGTERM: unfinished requests
then get 5 seconds, and the exit code is 0. A second signal ends it at once.`;

/** Adds `gateway`: serves the claims of a file store. */
export function addGateway(program: Command, shell: Shell): void {
  program
    .command("gateway")
    .description("Serve the claims of a file store over HTTP on 127.0.0.1.")
    .argument("<folder>", "the file store")
    .option("--port <n>", "the port; 0 takes a free one", parseCount, 0)
    .option("--json", "write the address as one line of JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (folder, { port, json }) => {
      if (port > 65_535) throw new UsageError("a port is at most 65535");
      const server = createServer(gatewayListener(createGateway({ store: fileStore(folder) })));
      try {
        server.listen(port, "127.0.0.1");
        await once(server, "listening", { signal: shell.signal });
      } catch (cause) {
        shell.signal.throwIfAborted();
        throw new UsageError(`127.0.0.1:${port} cannot be listened on: ${(cause as Error).message}`, { cause });
      }
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      await shell.out.line(json === true ? JSON.stringify({ url }) : `claims of ${folder} at ${url}`);
      await shell.out.flush();
      await new Promise<void>((done) => shell.signal.addEventListener("abort", () => done(), { once: true }));
      await close(server);
    });
}

/** Takes no more requests, and gives those that are being answered some time. */
async function close(server: Server): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await new Promise<void>((done) => server.close(() => done()));
  clearTimeout(cut);
}
