import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect } from "node:http2";
import { join } from "node:path";
import { ROOT } from "../../checks/workspace.js";
import { goProgram } from "../go-program.js";
import type { BrokerKind } from "../kind.js";

const FOLDER = join(ROOT, "packages", "testkit", "brokers", "pstest");
const MODULE = "cloud.google.com/go/pubsub/v2";

/** Google's in-memory server behind a small program of this repository. Its data ends with its process. */
export const googlePubsub: BrokerKind = {
  name: "google-pubsub",
  variable: "SINKWIRE_PUBSUB_HOST",
  durable: false,
  ports: 1,
  async install(options) {
    const version = new RegExp(`${MODULE} (v\\S+)`).exec(readFileSync(join(FOLDER, "go.mod"), "utf8"))?.[1] ?? "";
    const source = hash("sha256", readFileSync(join(FOLDER, "main.go"), "utf8"), "hex").slice(0, 12);
    const program = await goProgram("pstest", { folder: FOLDER, version: `${version}-${source}` }, options);
    return {
      version: `Google pstest ${version.slice(1)}`,
      launch: ({ ports: [port] }) => ({ command: [program, "-port", `${port}`], url: `127.0.0.1:${port}` }),
    };
  },
  probe(url, { signal }) {
    return new Promise((resolve, reject) => {
      const session = connect(`http://${url}`);
      const stop = (): void => session.destroy(new Error("no HTTP/2 settings came"));
      signal.addEventListener("abort", stop, { once: true });
      session.once("error", reject);
      session.once("remoteSettings", () => {
        session.close();
        resolve("Google Pub/Sub");
      });
      session.once("close", () => signal.removeEventListener("abort", stop));
    });
  },
};
