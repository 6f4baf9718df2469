import { parseArgs } from "node:util";
import { BROKER_NAMES, type BrokerName, brokerVersions, prepareBroker, startBroker } from "./index.js";

const USAGE = `usage: brokers report           start and stop every server; print the versions that ran
       brokers prepare [NAME]…  find or get what the servers need; exit 1 with the reason when that cannot be
       brokers run NAME         start one, print its URL and run it until interrupted
names: ${BROKER_NAMES.join(", ")}`;

const { positionals } = parseArgs({ allowPositionals: true });
const [verb, ...names] = positionals;
const known = names.every((name): name is BrokerName => BROKER_NAMES.some((one) => one === name));
const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => interrupted.abort(new Error("interrupted")));
}
const { signal } = interrupted;

if (verb === "report" && names.length === 0) await report();
else if (verb === "prepare" && known) await prepare(names.length > 0 ? (names as BrokerName[]) : BROKER_NAMES);
else if (verb === "run" && known && names.length === 1) await run(names[0] as BrokerName);
else {
  console.error(USAGE);
  process.exitCode = 2;
}

async function report(): Promise<void> {
  const reports = await brokerVersions({ signal });
  for (const { name, version, startedInMs, reason } of reports) {
    const started = startedInMs === null ? "" : ` (${(startedInMs / 1_000).toFixed(1)} s to start)`;
    console.log(version === null ? `skipped: ${name}: ${reason}` : `${name}: ${version}${started}`);
  }
  const all = reports.every(({ version }) => version !== null);
  if (!all && process.env["SINKWIRE_REQUIRE_ALL"] === "1") process.exitCode = 1;
}

async function prepare(wanted: readonly BrokerName[]): Promise<void> {
  for (const name of wanted) {
    try {
      await prepareBroker(name, { signal });
    } catch (error) {
      console.error(`${name}: ${(error as Error).message}`);
      process.exitCode = 1;
    }
  }
}

async function run(name: BrokerName): Promise<void> {
  const broker = await startBroker(name, { signal });
  console.log(`${broker.version}\n${broker.url}`);
  const forever = setInterval(() => {}, 60_000);
  signal.addEventListener("abort", () => {
    clearInterval(forever);
    void broker.stop();
  });
}
