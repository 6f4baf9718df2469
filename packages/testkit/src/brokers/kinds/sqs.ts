import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../checks/workspace.js";
import type { BrokerKind } from "../kind.js";

const TESTKIT = join(ROOT, "packages", "testkit");

/** fauxqs, a stand-in in memory. Its data ends with its process. */
export const sqs: BrokerKind = {
  name: "sqs",
  variable: "SINKWIRE_SQS_URL",
  durable: false,
  ports: 1,
  async install() {
    const manifest = readFileSync(join(TESTKIT, "node_modules", "fauxqs", "package.json"), "utf8");
    const { version } = JSON.parse(manifest) as { version: string };
    return {
      version: `fauxqs ${version}`,
      launch: ({ ports: [port] }) => ({
        command: [process.execPath, join(TESTKIT, "brokers", "fauxqs", "serve.mjs"), `${port}`],
        url: `http://127.0.0.1:${port}`,
      }),
    };
  },
  async probe(url, options) {
    await fetch(url, options);
    return "SQS";
  },
};
