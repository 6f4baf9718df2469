// `npm run fuzz -- --seconds N [--inputs N] [--seed S] [--from N] [--differential] [--operation NAME…] [--out DIR]`
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { ConformanceError, formatFuzz, fuzz, loadImplementations } from "@sinkwire/conformance";
import { ROOT } from "../checks/workspace.js";

const { values } = parseArgs({
  options: {
    seconds: { type: "string" },
    inputs: { type: "string" },
    seed: { type: "string" },
    from: { type: "string" },
    differential: { type: "boolean", default: false },
    operation: { type: "string", multiple: true },
    out: { type: "string" },
  },
});

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
