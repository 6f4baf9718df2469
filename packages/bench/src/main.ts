import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { benchCodec, type CodecRow, missedTargets, profileCodec } from "./codec.js";
import { chart, markdownTable, profileTables } from "./report.js";
import { transportsCommand } from "./transports/command.js";

const HELP = `Usage: npm run bench -- codec [--json | --profile] [--write]
       npm run bench -- transports [NAME ...] [--json] [--write]

  codec       decode, encode and serialize beside the least that any codec must do
  transports  publish and consume on real brokers, beside the bare client; NAME as nats or google-pubsub

  --json      print the rows as JSON
  --profile   print where the time of the smallest decode and of its slowest refusal goes, and no rows
  --write     store the ratios, and write the tables and the picture of the READMEs

Ratios are medians of interleaved rounds in this one process. A target that is missed is named on stderr: figures of
a busy machine are no test, so it does not change the exit code.
`;
const STORED = new URL("../results/codec.json", import.meta.url);
const README = new URL("../../message/README.md", import.meta.url);
const PICTURE = new URL("../../../docs/figures/codec.svg", import.meta.url);
/** What stands between the markers of one kind in the README. */
const between = (name: string): RegExp => new RegExp(`(<!-- ${name} -->)[\\s\\S]*?(<!-- /${name} -->)`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean", default: false },
    profile: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const [subject, ...names] = positionals;
if (!values.help && subject === "transports") {
  process.exit(await transportsCommand({ names, json: values.json, write: values.write }));
}
if (values.help || subject !== "codec" || names.length > 0) {
  process.stdout.write(HELP);
  process.exit(values.help ? 0 : 2);
}

if (values.profile) {
  process.stdout.write(`${profileTables(await profileCodec())}\n`);
  process.exit(0);
}

const rows = benchCodec((row) => {
  if (!values.json)
    process.stderr.write(
      `${row.text} ${row.bodyBytes} B: decode ${row.decode.toFixed(2)}, encode ${row.encode.toFixed(2)}\n`,
    );
});
if (values.json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
else process.stdout.write(`${markdownTable(rows)}\n`);

compareWithStored(rows);
const missed = rows.flatMap(missedTargets);
for (const miss of missed) process.stderr.write(`target missed: ${miss}\n`);
if (values.write) {
  writeFileSync(STORED, `${JSON.stringify({ node: process.version, rows }, null, 2)}\n`);
  writeFileSync(PICTURE, chart(rows));
  const readme = readFileSync(README, "utf8");
  const written = readme
    .replace(between("bench:codec"), `$1\n\n${markdownTable(rows)}\n\n$2`)
    .replace(between("bench:profile"), `$1\n\n${profileTables(await profileCodec())}\n\n$2`);
  writeFileSync(README, written);
}

/** Says how each ratio moved against the stored run. */
function compareWithStored(now: readonly CodecRow[]): void {
  let stored: readonly CodecRow[];
  try {
    stored = (JSON.parse(readFileSync(STORED, "utf8")) as { rows: CodecRow[] }).rows;
  } catch {
    return; // nothing was stored yet
  }
  for (const row of now) {
    const before = stored.find((other) => other.text === row.text && other.bodyBytes === row.bodyBytes);
    if (before === undefined) continue;
    const moved = (["decode", "encode", "serialize"] as const)
      .map((name) => `${name} ${before[name].toFixed(2)} → ${row[name].toFixed(2)}`)
      .join(", ");
    process.stderr.write(`stored → now, ${row.text} ${row.bodyBytes} B: ${moved}\n`);
  }
}
