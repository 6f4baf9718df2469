import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { exchange } from "../src/brokers/exchange.js";
import { freePorts } from "../src/brokers/free-ports.js";
import { BROKER_NAMES, startBroker, waitUntil } from "../src/brokers/index.js";
import { parseOffsets } from "../src/brokers/kafka-groups.js";
import type { BrokerKind } from "../src/brokers/kind.js";
import { KINDS } from "../src/brokers/kinds/index.js";
import { startOwn } from "../src/brokers/own-broker.js";
import { ROOT } from "../src/checks/workspace.js";

const never = new AbortController().signal;
const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe("a server's process", () => {
  let parent: ChildProcess | null = null;
  afterEach(() => parent?.kill("SIGKILL"));

  it.each(["SIGKILL", "SIGINT", "SIGTERM"] as const)(
    "ends with its parent, whose end was %s",
    async (signal) => {
      parent = spawn(
        join(ROOT, "node_modules", ".bin", "tsx"),
        [fileURLToPath(new URL("./broker-parent.ts", import.meta.url))],
        {
          stdio: ["ignore", "pipe", "inherit"],
          detached: true,
        },
      );
      const { stdout, pid: group = 0 } = parent;
      if (stdout === null) throw new Error("no output");
      const { value: line } = await createInterface({ input: stdout })[Symbol.asyncIterator]().next();
      const { pid, folder } = JSON.parse(String(line)) as { pid: number; folder: string };
      expect(alive(-pid)).toBe(true);
      process.kill(-group, signal);
      await waitUntil(() => expect([alive(-pid), existsSync(folder)]).toEqual([false, false]), { limitMs: 20_000 });
    },
    60_000,
  );
});

describe("a server that does not start", () => {
  const kind: BrokerKind = {
    ...KINDS.redis,
    probe: async () => {
      throw new Error("nobody is there");
    },
  };
  const run = (script: string, signal?: AbortSignal) =>
    startOwn(kind, { launch: () => ({ command: ["sh", "-c", script], url: "" }) }, { signal });

  it("is reported with the end of its log", async () => {
    await expect(run("echo no memory left; exit 1")).rejects.toThrow(
      "redis did not start: Error: its process ended: no memory left",
    );
  });

  it("is ended when the caller gives up", async () => {
    const folder = mkdtempSync(join(tmpdir(), "sinkwire-test-"));
    const file = join(folder, "pid");
    const giveUp = new AbortController();
    const starting = run(`echo $$ > ${file}; exec sleep 600`, giveUp.signal);
    const pid = await waitUntil(() => Number(/\d+(?=\n)/.exec(readFileSync(file, "utf8"))?.[0] ?? fail()), {
      limitMs: 4_000,
    });
    giveUp.abort(new Error("enough"));
    await expect(starting).rejects.toThrow("enough");
    expect(alive(pid)).toBe(false);
    rmSync(folder, { recursive: true });
  });

  it("is unavailable when its program cannot be started", async () => {
    const launch = () => ({ command: ["/no/such/program"] as [string], url: "" });
    await expect(startOwn(kind, { launch }, {})).rejects.toThrow("/no/such/program cannot be started");
  });
});

describe("a server that a variable names", () => {
  afterEach(() => {
    for (const name of BROKER_NAMES) delete process.env[KINDS[name].variable];
  });

  it("is used, and is nobody's to control", async () => {
    const server = createServer((socket) => {
      socket.resume().end("+PONG\r\n$60\r\n# Server\r\nredis_version:7.9.9\r\n");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const url = `redis://127.0.0.1:${address.port}`;
    process.env[KINDS.redis.variable] = url;
    const broker = await startBroker("redis");
    expect(broker).toMatchObject({ url, version: "Redis 7.9.9", pid: null, folder: null });
    expect(() => broker.freeze()).toThrow("only a server started here can be controlled");
    await expect(broker.restart()).rejects.toThrow("only a server started here can be controlled");
    await broker.stop();
    await new Promise((resolve) => server.close(resolve));
  });

  it.each(BROKER_NAMES)("is an error when it does not answer: %s", async (name) => {
    const [port] = await freePorts(1);
    const bare = name === "kafka" || name === "google-pubsub";
    process.env[KINDS[name].variable] = `${bare ? "" : "http://"}127.0.0.1:${port}`;
    await expect(startBroker(name)).rejects.toMatchObject({
      name: "BrokerUnavailableError",
      broker: name,
      message: `the server that ${KINDS[name].variable} names does not answer`,
    });
  });
});

describe("the parts of the program", () => {
  it("finds different ports that can be listened on, outside of the range of outgoing ones", async () => {
    const ports = await freePorts(3);
    expect(new Set(ports).size).toBe(3);
    for (const port of ports) expect(port).toBeLessThan(32_768);
  });

  it("refuses a server that answers without end", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.write(Buffer.alloc(100_000, "x"));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const reading = exchange(`127.0.0.1:${address.port}`, "", () => null, { signal: never });
    await expect(reading).rejects.toThrow("answers something else");
    await new Promise((resolve) => server.close(resolve));
  });

  it("reads the table of the consumer-group tool", () => {
    const table = [
      "",
      "Consumer group 'g' has no active members.",
      "",
      "GROUP  TOPIC  PARTITION  LEADER-EPOCH  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST  CLIENT-ID",
      "g      b      0          0             -               7               -    -            -     -",
      "g      a      1          0             9007199254740993 9007199254740999 6  -            -     -",
      "",
    ].join("\n");
    expect(parseOffsets(table)).toEqual([
      { topic: "a", partition: 1, committed: 9007199254740993n, end: 9007199254740999n },
      { topic: "b", partition: 0, committed: null, end: 7n },
    ]);
    expect(() => parseOffsets("Error: timed out")).toThrow("timed out");
  });
});

function fail(): never {
  throw new Error("not yet");
}
