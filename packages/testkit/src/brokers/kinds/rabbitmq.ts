import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { debianProgram } from "../debian-package.js";
import { exchange } from "../exchange.js";
import type { BrokerKind } from "../kind.js";
import { runTool } from "../run-tool.js";

/** Debian's program on the path refuses every user but two; the one that it wraps does not. */
const PROGRAMS = ["/usr/lib/rabbitmq/bin/rabbitmq-server", "rabbitmq-server"];

/**
 * Erlang starts its name server as a daemon, which would outlive the node: it is started here first, in the same
 * process group.
 */
const START = [
  'epmd -port "$ERL_EPMD_PORT" -address 127.0.0.1 &',
  'until epmd -port "$ERL_EPMD_PORT" -names >/dev/null 2>&1; do sleep 0.05; done',
  'exec "$0"',
].join("\n");

const PROTOCOL_HEADER = Buffer.from("AMQP\0\0\x09\x01", "latin1");

/** `rabbitmq-server`, as the user that its package made when this is root. */
export const rabbitmq: BrokerKind = {
  name: "rabbitmq",
  variable: "SINKWIRE_RABBITMQ_URL",
  durable: true,
  ports: 3,
  async install(options) {
    const program = await debianProgram(PROGRAMS, ["rabbitmq-server"], options);
    const user = await serverUser();
    return {
      async prepare({ folder, ports: [port] }) {
        const lines = [`listeners.tcp.default = 127.0.0.1:${port}`, "distribution.listener.interface = 127.0.0.1"];
        writeFileSync(join(folder, "rabbitmq.conf"), `${lines.join("\n")}\n`);
        writeFileSync(join(folder, "advanced.config"), "[].\n");
      },
      launch: ({ folder, ports: [port, names, distribution] }) => ({
        command: ["sh", "-c", START, program],
        env: {
          HOME: folder,
          ERL_EPMD_PORT: `${names}`,
          RABBITMQ_DIST_PORT: `${distribution}`,
          RABBITMQ_NODENAME: "sinkwire@localhost",
          RABBITMQ_MNESIA_BASE: join(folder, "data"),
          RABBITMQ_LOGS: "-",
          RABBITMQ_CONFIG_FILE: join(folder, "rabbitmq.conf"),
          RABBITMQ_ADVANCED_CONFIG_FILE: join(folder, "advanced.config"),
          RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, "enabled_plugins"),
          // Two idle schedulers that spin would take a small machine's cores from the tests.
          RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: "+sbwt none +sbwtdcpu none +sbwtdio none",
        },
        user,
        url: `amqp://guest:guest@127.0.0.1:${port}`,
      }),
    };
  },
  probe(url, options) {
    const { hostname, port } = new URL(url);
    return exchange(`${hostname}:${port || 5672}`, PROTOCOL_HEADER, readVersion, options);
  },
};

/** The version in the server properties of `Connection.Start`: the name, `S`, four bytes of length, the text. */
function readVersion(bytes: Buffer): string | null {
  const name = Buffer.from("\x07versionS", "latin1");
  const at = bytes.indexOf(name);
  const start = at + name.length + 4;
  if (at < 0 || bytes.length < start) return null;
  const end = start + bytes.readUInt32BE(start - 4);
  return bytes.length < end ? null : `RabbitMQ ${bytes.toString("latin1", start, end)}`;
}

async function serverUser(): Promise<{ uid: number; gid: number } | null> {
  if (process.getuid?.() !== 0) return null;
  const id = async (flag: string): Promise<number> => Number(await runTool("id", [flag, "rabbitmq"]));
  return { uid: await id("-u"), gid: await id("-g") };
}
