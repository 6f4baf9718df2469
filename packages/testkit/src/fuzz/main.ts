import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { ConformanceError, formatFuzz, fuzz, loadImplementations } from "@sinkwire/conformance";
import { ROOT } from "../checks/workspace.js";

const HELP = `Usage: npm run fuzz -- [--seconds N] [--differential] [options]

Feeds mutated messages, hooks, refs, metadata and transport inputs to the implementations of
conformance/implementations.json. What it finds is shrunk and saved as a case under conformance/cases/<suite>/found;
exit code 1 says that it found something, 3 that a runner is not to be had.

  --seconds N        how long; default 10, or no end when --inputs is given
  --inputs N         how many inputs at most
  --differential     all implementations, answers compared; default: TypeScript alone, against invariants
  --operation NAME   only this operation; may be given several times
  --seed S           the same seed gives the same inputs; default: random, printed at the end
  --from N           start with input N of the seed
  --out DIR          where findings are saved

  npm run fuzz -- --differential --seconds 60
  npm run fuzz -- --operation decode_message --seed 7 --inputs 100000
`;

const { values } = parseArgs({
  options: {
    help: { type: "boolean", default: false },
    seconds: { type: "string" },
    inputs: { type: "string" },
    seed: { type: "string" },
    from: { type: "string" },
    differential: { type: "boolean", default: false },
    operation: { type: "string", multiple: true },
    out: { type: "string" },
  },
});

if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

/** A count of the command line; undefined when it was not given. */
function count(name: "seconds" | "inputs" | "seed" | "from"): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isInteger(number) && number >= 0) return number;
  console.error(`--${name} takes an integer of at least 0, not ${text}`);
  process.exit(2);
}

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop.abort(signal));

process.chdir(ROOT);
const rows = loadImplementations();
const implementations = values.differential ? rows : rows.filter(({ name }) => name === "typescript");
if (values.differential && implementations.length < 2) {
  console.error("conformance/implementations.json has one row: there is nothing to compare it with");
  process.exit(3);
}
const seconds = count("seconds");
try {
  const report = await fuzz({
    implementations,
    durationMs: seconds === undefined ? undefined : seconds * 1000,
    inputs: count("inputs"),
    seed: count("seed"),
    from: count("from"),
    operations: values.operation,
    outDir: values.out === undefined ? undefined : resolve(values.out),
    signal: stop.signal,
    onProgress: ({ inputs, findings }) => {
      if (process.stderr.isTTY) process.stderr.write(`\r${inputs} inputs, ${findings} findings `);
    },
  });
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  console.log(formatFuzz(report));
  if (report.findings.length + report.faults.length > 0) process.exitCode = 1;
} catch (error) {
  if (stop.signal.aborted) process.exitCode = 130;
  else if (error instanceof ConformanceError) {
    console.error(error.message);
    process.exitCode = 3;
  } else throw error;
}
