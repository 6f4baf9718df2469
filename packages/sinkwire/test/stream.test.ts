import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { BIN, ended, sinkwire, start, temporaryFolder } from "./command.js";
import { message } from "./messages.js";

const LINE = Buffer.concat([message({ body: Buffer.alloc(3_000, "x") }), Buffer.from("\n")]);
const BLOCK = Buffer.concat(Array.from({ length: 250 }, () => LINE));
const REPORT_PEAK = fileURLToPath(new URL("fixtures/report-peak.mjs", import.meta.url));

describe("a long stream", () => {
  test("is decoded in memory that does not grow with it", async () => {
    const peakFile = join(temporaryFolder(), "peak");
    const child = start(["decode", "--ndjson", "--json"], {
      env: { NODE_OPTIONS: `--import=${REPORT_PEAK}`, PEAK_FILE: peakFile },
    });
    let read = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      read += chunk.length;
    });
    child.stderr.resume();
    const blocks = 400;
    for (let i = 0; i < blocks; i++) if (!child.stdin.write(BLOCK)) await once(child.stdin, "drain");
    child.stdin.end();
    const [code] = await once(child, "close");

    expect(code).toBe(0);
    expect(read).toBe(blocks * BLOCK.length);
    expect(Number(readFileSync(peakFile, "utf8"))).toBeLessThan((blocks * BLOCK.length) / 2);
  }, 120_000);

  test("holds no more of one endless line than the cap", async () => {
    const peakFile = join(temporaryFolder(), "peak");
    const child = start(["decode", "--ndjson", "--json", "--max-bytes", "1000000"], {
      env: { NODE_OPTIONS: `--import=${REPORT_PEAK}`, PEAK_FILE: peakFile },
    });
    const end = ended(child);
    const piece = Buffer.alloc(1 << 20, "x");
    const pieces = 400;
    for (let i = 0; i < pieces; i++) if (!child.stdin.write(piece)) await once(child.stdin, "drain");
    child.stdin.end();
    const { code, stdout } = await end;
    expect(code).toBe(1);
    expect(JSON.parse(stdout.toString())).toMatchObject({ line: 1, error: { code: "invalid_json" } });
    expect(Number(readFileSync(peakFile, "utf8"))).toBeLessThan((pieces * piece.length) / 2);
  }, 120_000);

  test("ends in good order when its reader has seen enough", async () => {
    const child = start(["decode", "--ndjson", "--json"]);
    child.stdin.on("error", () => {});
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    const write = (): void => {
      while (child.stdin.writable && child.stdin.write(BLOCK));
    };
    child.stdin.on("drain", write);
    write();
    await once(child.stdout, "data");
    child.stdout.destroy();
    const [code] = await once(child, "exit");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  test.for([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s ends it with what was read so far, without a stack", async ([signal, expected]) => {
    const child = start(["decode", "--ndjson", "--json"]);
    const end = ended(child);
    child.stdin.on("error", () => {}); // it ends without having read all
    child.stdin.write(BLOCK);
    await once(child.stdout, "data");
    child.kill(signal);
    const { code, stderr } = await end;
    expect({ code, stderr }).toEqual({ code: expected, stderr: "" });
  });

  test.runIf(process.platform === "linux")(
    "shows its progress on a terminal, and wipes it",
    async () => {
      const folder = temporaryFolder();
      const command = `yes "$LINE" | head -n 60000 | "${process.execPath}" "${BIN}" decode --ndjson --json > "${folder}/out"`;
      const terminal = spawn("script", ["-qec", command, "/dev/null"], {
        env: { ...process.env, LINE: message().toString() },
      });
      terminal.stdin.end();
      const { code, stdout } = await ended(terminal);
      expect(code).toBe(0);
      expect(stdout.toString()).toMatch(/\r\d+ messages, 0 refused, [\d.]+ \wiB, [\d.]+ \wiB\/s/);
      expect(stdout.toString().endsWith("\r\u001b[K")).toBe(true);
    },
    60_000,
  );

  test("shows no progress elsewhere", async () => {
    const { stderr } = await sinkwire(["decode", "--ndjson", "--json"], BLOCK);
    expect(stderr).toBe("");
  });
});
