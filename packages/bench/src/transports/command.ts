import { readFileSync, writeFileSync } from "node:fs";
import { benchTransports, TARGET_SHARE, TRANSPORTS, type TransportRow, WORKS } from "./bench-transports.js";

const STORED = new URL("../results/transports.json", import.meta.url);
const README = new URL("../../delivery/README.md", import.meta.url);
const TABLE = /(<!-- bench:transports -->)[\s\S]*?(<!-- \/bench:transports -->)/;

/** How to run the benchmark of the transports. */
export interface TransportsOptions {
  /** Names of the transports; none means all. */
  readonly names: readonly string[];
  readonly json: boolean;
  /** Store the rows and write the table of packages/delivery/README.md. */
  readonly write: boolean;
}

/**
 * Measures the transports, prints the table, and names on stderr what is under the target.
 *
 * @returns the exit code: 2 for a transport that is not known
 */
export async function transportsCommand({ names, json, write }: TransportsOptions): Promise<number> {
  const unknown = names.filter((name) => !TRANSPORTS.some((transport) => transport.name === name));
  if (unknown.length > 0) {
    const known = TRANSPORTS.map(({ name }) => name).join(", ");
    process.stderr.write(`no such transport: ${unknown.join(", ")}; there are: ${known}\n`);
    return 2;
  }
  const rows = await benchTransports(names, (row) => {
    if (!json) process.stderr.write(`${describeRow(row)}\n`);
  });
  process.stdout.write(json ? `${JSON.stringify(rows, null, 2)}\n` : `${transportsTable(rows)}\n`);
  for (const row of rows) {
    if (row.work !== "unread" && row.share < TARGET_SHARE) {
      process.stderr.write(`target missed: ${describeRow(row)}\n`);
    }
  }
  if (write) {
    writeFileSync(STORED, `${JSON.stringify({ node: process.version, rows }, null, 2)}\n`);
    const readme = readFileSync(README, "utf8");
    writeFileSync(README, readme.replace(TABLE, `$1\n\n${transportsTable(rows)}\n\n$2`));
  }
  return 0;
}

function describeRow({ transport, bodyBytes, work, share, barePerSecond }: TransportRow): string {
  return `${transport}, ${bodyBytes.toLocaleString("en")} B, ${work}: ${share.toFixed(2)} of ${barePerSecond} a second`;
}

/** The rows as a Markdown table: one line for a server and a size. */
function transportsTable(rows: readonly TransportRow[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const titles = ["publish, one by one", "publish, 64 at once", "consume", "consume, bare side leaves the body unread"];
  const keys = [...new Set(rows.map(({ server, client, bodyBytes }) => JSON.stringify([server, client, bodyBytes])))];
  return [
    line(["server, client", "body", ...titles]),
    line(["---", "--:", ...titles.map(() => "--:")]),
    ...keys.map((key) => {
      const [server, client, bodyBytes] = JSON.parse(key) as [string, string, number];
      const shares = WORKS.map((work) => {
        const row = rows.find((one) => one.server === server && one.bodyBytes === bodyBytes && one.work === work);
        return row === undefined ? "" : row.share.toFixed(2);
      });
      return line([`${server}, \`${client}\``, `${bodyBytes.toLocaleString("en")} B`, ...shares]);
    }),
  ].join("\n");
}
