import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { goProgram } from "../go-program.js";
import type { BrokerKind } from "../kind.js";

const SOURCE = { module: "github.com/versity/versitygw/cmd/versitygw", version: "v1.8.0" };

/** Versity's S3 gateway over a folder: it checks signatures and checksums, and keeps conditions on writes. */
export const s3: BrokerKind = {
  name: "s3",
  variable: "SINKWIRE_S3_URL",
  durable: true,
  ports: 1,
  async install(options) {
    const program = await goProgram("versitygw", SOURCE, options);
    return {
      version: `Versity S3 Gateway ${SOURCE.version.slice(1)}`,
      async prepare({ folder }) {
        for (const name of ["data", "meta"]) mkdirSync(join(folder, name));
      },
      // Metadata beside the data: not every temporary folder has extended attributes.
      launch: ({ folder, ports: [port] }) => ({
        command: [
          ...([program, "--port", `127.0.0.1:${port}`, "--quiet", "posix"] as const),
          ...["--sidecar", join(folder, "meta"), join(folder, "data")],
        ],
        env: { ROOT_ACCESS_KEY: "sinkwire", ROOT_SECRET_KEY: "sinkwire-secret" },
        url: `http://sinkwire:sinkwire-secret@127.0.0.1:${port}`,
      }),
    };
  },
  async probe(url, options) {
    const { origin } = new URL(url);
    await fetch(origin, options);
    return "S3";
  },
};
