import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { stopCommands } from "./command.js";
import type { Outcome, Part } from "./part.js";
import { PARTS } from "./parts.js";
import { runPart } from "./run-part.js";
import { notes, partLine, summary } from "./summary.js";
import { ROOT } from "./workspace.js";

const { values, positionals } = parseArgs({ options: { long: { type: "boolean" } }, allowPositionals: true });
const unknown = positionals.filter((name) => !PARTS.some((part) => part.name === name));
if (unknown.length > 0) {
  console.error(`no such part: ${unknown.join(", ")}\nthere are: ${PARTS.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}
const wanted = PARTS.filter(({ name, long }) =>
  positionals.length > 0 ? positionals.includes(name) : values.long === true || long !== true,
);

const folder = mkdtempSync(join(tmpdir(), "sinkwire-checks-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
let interrupted = false;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  // Not `once`: a terminal's signal comes twice, to the whole group and through what started this.
  process.on(signal, () => {
    interrupted = true;
    void stopCommands().then(() => process.exit(130));
  });
}

const requireAll = process.env["SINKWIRE_REQUIRE_ALL"] === "1";
const outcomes: Outcome[] = [];
let isPointless = false;

/** Runs parts one after another. */
async function runAll(parts: readonly Part[]): Promise<void> {
  for (const part of parts) {
    if (isPointless) return;
    const outcome = await runPart(part, { root: ROOT, folder, requireAll });
    if (interrupted) return;
    outcomes.push(outcome);
    if (!outcome.ok && outcome.output !== "") console.log(outcome.output.trimEnd());
    console.log([partLine(outcome), ...notes(outcome)].join("\n"));
    if (!outcome.ok && part.first) isPointless = true;
  }
}

await runAll(wanted.filter(({ first }) => first));
const others = wanted.filter(({ first }) => !first);
await Promise.all([runAll(others.filter(({ beside }) => !beside)), runAll(others.filter(({ beside }) => beside))]);
if (!interrupted) {
  console.log(summary(outcomes));
  process.exitCode = outcomes.every(({ ok }) => ok) ? 0 : 1;
}
