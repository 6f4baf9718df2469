import type { Command } from "@commander-js/extra-typings";
import { checkNode } from "../doctor/check-node.js";
import { checkPeers } from "../doctor/check-peers.js";
import { checkServer } from "../doctor/check-server.js";
import type { Finding } from "../doctor/finding.js";
import { EXIT, type ExitCode } from "../io/exit.js";
import { printable } from "../io/style.js";
import type { Shell } from "../shell.js";
import { ADDRESSES, type Chosen, chooseTransport, TRANSPORTS } from "../transports/index.js";

const EXAMPLES = `
Addresses, each with or without the place on the server:
${ADDRESSES}

Examples:
  $ sinkwire doctor
  $ sinkwire doctor nats://127.0.0.1/hooks redis://127.0.0.1
  $ sinkwire doctor --json redis://127.0.0.1/hooks | jq '.findings[] | select(.status == "fail")'

It looks at Node, at the clients of the transports, and at the servers of the URLs: whether they answer, their versions,
whether the place is there, and how far their clocks are off. It changes nothing. Exit codes: 0 without a FAIL, 1 with
one, 3 when that is a server or a client which is not there.`;

const LABELS: Readonly<Record<Finding["status"], string>> = {
  pass: "PASS",
  warn: "WARN",
  fail: "FAIL",
  absent: "–   ",
};
const COLOURS = { pass: "green", warn: "yellow", fail: "red", absent: "gray" } as const;

/** Adds `doctor`: says whether everything is there that the command, and programs like it, need. */
export function addDoctor(program: Command, shell: Shell): void {
  program
    .command("doctor")
    .description("Check Node, the clients of the transports, and servers.")
    .argument("[url...]", "servers to ask")
    .option("--json", "write one line of JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (urls, { json }) => {
      shell.json = json === true;
      const chosen = urls.map(chooseTransport);
      const own = [checkNode(), ...TRANSPORTS.flatMap((entry) => checkPeers(entry, isChosen(entry, chosen)))];
      const servers: Finding[] = [];
      for (const one of chosen) servers.push(...(await checkServer(one)));
      shell.exitCode = exitCodeOf(own, servers);
      await show([...own, ...servers], json === true, shell);
    });
}

function isChosen(entry: (typeof TRANSPORTS)[number], chosen: readonly Chosen[]): boolean {
  return chosen.some((one) => one.entry === entry);
}

function exitCodeOf([node, ...peers]: readonly Finding[], servers: readonly Finding[]): ExitCode {
  const failed = ({ status }: Finding): boolean => status === "fail";
  if ([...peers, ...servers].some(failed)) return EXIT.unavailable;
  return node !== undefined && failed(node) ? EXIT.refused : EXIT.ok;
}

async function show(findings: readonly Finding[], json: boolean, { out, style }: Shell): Promise<void> {
  if (json) {
    await out.line(JSON.stringify({ ok: !findings.some(({ status }) => status === "fail"), findings }));
    return;
  }
  for (const { status, subject, found, advice } of findings) {
    await out.line(`${style(COLOURS[status], LABELS[status])}  ${printable(`${subject}: ${found}`)}`);
    if (advice !== null && status !== "pass") await out.line(`      → ${printable(advice)}`);
  }
}
