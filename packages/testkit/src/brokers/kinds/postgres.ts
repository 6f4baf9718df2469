import { Client } from "pg";
import { installDebian } from "../debian-package.js";
import { findProgram } from "../find-program.js";
import type { BrokerKind } from "../kind.js";
import { runTool } from "../run-tool.js";
import type { WaitOptions } from "../types.js";

/** Debian keeps the server's programs off the path, one folder per version; the newest that any PostgreSQL here has. */
const FOLDERS = [18, 17, 16, 15, 14].map((version) => `/usr/lib/postgresql/${version}/bin`);

/** The cluster is made by the user that runs it: `initdb` refuses root. */
const START = [
  'if [ ! -f data/PG_VERSION ]; then "$0/initdb" -D data -U postgres -A trust -E UTF8 --locale=C --no-sync; fi',
  'exec "$0/postgres" -D data "$@"',
].join("\n");

/**
 * PostgreSQL, as the user that its package made when this is root. It does not wait for the disk: what it has confirmed
 * outlives a crash of its processes, not one of the machine.
 */
export const postgres: BrokerKind = {
  name: "postgres",
  variable: "SINKWIRE_POSTGRES_URL",
  durable: true,
  ports: 1,
  async install(options) {
    const programs = await serverPrograms(options);
    const user = await serverUser();
    return {
      launch: ({ ports: [port] }) => ({
        command: ["sh", "-c", START, programs, ...settings({ port, max_connections: 200, fsync: "off" })],
        user,
        url: `postgres://postgres@127.0.0.1:${port}/postgres`,
        // The default waits until every client has gone.
        stopSignal: "SIGINT",
      }),
    };
  },
  async probe(url, { signal }) {
    signal.throwIfAborted();
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 2_000 });
    client.on("error", () => {});
    try {
      await client.connect();
      const { rows } = await client.query("SELECT current_setting('server_version') AS version");
      return `PostgreSQL ${/^[^ ]+/.exec(rows[0].version)?.[0]}`;
    } finally {
      await client.end();
    }
  },
};

function settings(values: Readonly<Record<string, string | number>>): string[] {
  const all = { listen_addresses: "127.0.0.1", unix_socket_directories: "", ...values };
  return Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** The folder of `postgres` and `initdb`. */
async function serverPrograms(options: WaitOptions): Promise<string> {
  const find = (): string | null =>
    findProgram("postgres", ...FOLDERS.map((folder) => `${folder}/postgres`))?.replace(/\/postgres$/, "") ?? null;
  const found = find();
  if (found !== null) return found;
  await installDebian(["postgresql"], options);
  const installed = find();
  if (installed === null) throw new Error("the package postgresql brought no postgres");
  return installed;
}

async function serverUser(): Promise<{ uid: number; gid: number } | null> {
  if (process.getuid?.() !== 0) return null;
  const id = async (flag: string): Promise<number> => Number(await runTool("id", [flag, "postgres"]));
  return { uid: await id("-u"), gid: await id("-g") };
}
