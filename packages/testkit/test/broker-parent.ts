// Starts a process group as a server's, names it, and waits: the test ends this process in some way.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServerProcess } from "../src/brokers/server-process.js";

const folder = mkdtempSync(join(tmpdir(), "sinkwire-parent-"));
const command = ["sh", "-c", "trap '' TERM; sleep 600 & wait"] as const;
const { pid } = new ServerProcess({ command, url: "" }, { folder, log: join(folder, "server.log") });
console.log(JSON.stringify({ pid, folder }));
setInterval(() => {}, 60_000);
