import { statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { MESSAGE_BROKERS, type MessageBroker } from "../brokers/index.js";
import type { DemoQueue } from "./demo-queue.js";
import { InputUnreadable } from "./folder-webhooks.js";
import type { Counts, Ledger } from "./ledger.js";
import { runDemo } from "./run-demo.js";

const HELP = `npm run demo [-- --input DIR] [-- --broker NAME] [-- --json]

Sends real webhooks through the wire format and back, and compares what comes out with what went in.

  --input DIR    the files of this folder instead of GitHub's example payloads
  --broker NAME  through a real server instead of an in-process queue: ${MESSAGE_BROKERS.join(", ")}
  --json         one line of JSON instead of the table`;

const COLUMNS: readonly (readonly [title: string, name: keyof Counts])[] = [
  ["hooks", "hooks"],
  ["inline", "inline"],
  ["claims", "claims"],
  ["bytes", "bytes"],
  ["dropped headers", "droppedHeaders"],
  ["refused", "refused"],
  ["duplicates", "duplicates"],
];

process.exitCode = await main();

/** Exit codes: 0 everything came back, 1 something was lost, 2 wrong usage, 3 an input that cannot be read. */
async function main(): Promise<number> {
  let values: ReturnType<typeof readFlags>;
  try {
    values = readFlags();
  } catch (error) {
    console.error((error as Error).message);
    return 2;
  }
  if (values.help === true) {
    console.log(HELP);
    return 0;
  }
  const input = values.input === undefined ? undefined : resolve(process.env["INIT_CWD"] ?? "", values.input);
  if (input !== undefined && !isFolder(input)) {
    console.error(`${values.input} is no folder`);
    return 2;
  }
  const broker = MESSAGE_BROKERS.find((name) => name === values.broker);
  if (values.broker !== undefined && broker === undefined) {
    console.error(`there is no broker ${values.broker}; there are: ${MESSAGE_BROKERS.join(", ")}`);
    return 2;
  }
  let ledger: Ledger;
  try {
    ledger = await runDemo({
      input,
      queue: broker === undefined ? undefined : await open(broker, values.json === true),
    });
  } catch (error) {
    if (!(error instanceof InputUnreadable)) throw error;
    console.error(error.message);
    return 3;
  }
  if (ledger.sent.size === 0) {
    console.error("there is nothing to send: the folder holds no files");
    return 2;
  }
  if (values.json === true) console.log(JSON.stringify(summary(ledger)));
  else report(ledger);
  return ledger.losses.length === 0 ? 0 : 1;
}

async function open(name: MessageBroker, quiet: boolean): Promise<DemoQueue> {
  if (!quiet) console.log(`starting ${name} …`);
  // The clients of all brokers come with it.
  const { brokerQueue } = await import("./broker-queue.js");
  const queue = await brokerQueue(name);
  if (!quiet) console.log(`through ${queue.version}\n`);
  return queue;
}

function readFlags() {
  const options = {
    input: { type: "string" },
    broker: { type: "string" },
    json: { type: "boolean" },
    help: { type: "boolean" },
  } as const;
  return parseArgs({ options }).values;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function summary(ledger: Ledger): object {
  const { staged, losses, tenants } = ledger;
  return { ...ledger.total(), staged, losses, tenants: Object.fromEntries(tenants) };
}

function report(ledger: Ledger): void {
  const cells = (counts: Counts): string[] => COLUMNS.map(([, name]) => counts[name].toLocaleString("en"));
  const rows = [
    ["tenant", ...COLUMNS.map(([title]) => title)],
    ...[...ledger.tenants].map(([tenant, counts]) => [tenant, ...cells(counts)]),
    ["total", ...cells(ledger.total())],
  ];
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? [];
  for (const row of rows) {
    console.log(
      row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join("  "),
    );
  }
  const { replays, flagged, redelivered, deduplicated, damaged } = ledger.staged;
  const known = deduplicated > 0 ? ` and ${deduplicated} that the broker knew already` : "";
  console.log(
    `\nstaged: ${replays} replay, ${flagged} flagged, ${redelivered} delivered twice${known}, ${damaged} damaged`,
  );
  for (const loss of ledger.losses.slice(0, 20)) console.error(`LOST  ${loss}`);
  console.log(ledger.losses.length === 0 ? "every hook came back verified, once" : `${ledger.losses.length} losses`);
}
