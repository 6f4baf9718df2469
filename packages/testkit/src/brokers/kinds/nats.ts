import { debianProgram } from "../debian-package.js";
import { exchange } from "../exchange.js";
import { findProgram } from "../find-program.js";
import { goProgram } from "../go-program.js";
import type { BrokerKind } from "../kind.js";
import type { WaitOptions } from "../types.js";

const SOURCE = { module: "github.com/nats-io/nats-server/v2", version: "v2.15.2" };

/** `nats-server` with JetStream: one on the path, else a current one built with Go, else Debian's. */
export const nats: BrokerKind = {
  name: "nats",
  variable: "SINKWIRE_NATS_URL",
  durable: true,
  ports: 1,
  async install(options) {
    const program = findProgram("nats-server") ?? (await getProgram(options));
    return {
      launch: ({ folder, ports: [port] }) => ({
        command: [program, "--addr", "127.0.0.1", "--port", `${port}`, "--jetstream", "--store_dir", folder],
        url: `nats://127.0.0.1:${port}`,
      }),
    };
  },
  probe(url, options) {
    return exchange(
      new URL(url).host,
      "",
      (bytes) => {
        const line = /^INFO (.+)\r\n/.exec(bytes.toString())?.[1];
        if (line === undefined) return null;
        const info = JSON.parse(line) as { version?: string; jetstream?: boolean };
        if (info.jetstream !== true) throw new Error("this server has no JetStream");
        return `NATS ${info.version}`;
      },
      options,
    );
  },
};

function getProgram(options: WaitOptions): Promise<string> {
  const hasGo = findProgram("go", "/usr/local/go/bin/go") !== null;
  return hasGo ? goProgram("nats-server", SOURCE, options) : debianProgram(["nats-server"], ["nats-server"], options);
}
