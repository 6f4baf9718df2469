import { debianProgram } from "../debian-package.js";
import { exchange } from "../exchange.js";
import type { BrokerKind } from "../kind.js";

/** `redis-server` with its append-only file: what it has confirmed outlives a crash of its process. */
export const redis: BrokerKind = {
  name: "redis",
  variable: "SINKWIRE_REDIS_URL",
  durable: true,
  ports: 1,
  async install(options) {
    const program = await debianProgram(["redis-server"], ["redis-server"], options);
    return {
      launch: ({ folder, ports: [port] }) => ({
        command: [program, "--bind", "127.0.0.1", "--port", `${port}`, "--dir", folder, "--appendonly", "yes"],
        url: `redis://127.0.0.1:${port}`,
      }),
    };
  },
  probe(url, options) {
    const { host, username, password } = new URL(url);
    const login = [username, password].filter((part) => part !== "").map(decodeURIComponent);
    const auth = login.length > 0 ? `AUTH ${login.join(" ")}\r\n` : "";
    return exchange(
      host,
      `${auth}PING\r\nINFO server\r\n`,
      (bytes) => {
        const text = bytes.toString("latin1");
        // An error of PING says that the data is still being loaded.
        if (/^-/m.test(text)) throw new Error("redis is not ready");
        const version = /redis_version:([^\r]+)\r/.exec(text)?.[1];
        return version === undefined || !text.includes("+PONG\r\n") ? null : `Redis ${version}`;
      },
      options,
    );
  },
};
