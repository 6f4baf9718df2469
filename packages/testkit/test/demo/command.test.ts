import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";

const MAIN = fileURLToPath(new URL("../../src/demo/main.ts", import.meta.url));

async function demo(args: readonly string[]): Promise<{ code: unknown; stderr: string }> {
  const child = spawn(process.execPath, ["--import", "tsx", MAIN, ...args], { stdio: ["ignore", "ignore", "pipe"] });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, "close");
  return { code, stderr };
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "sinkwire-demo-test-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

describe("the demo's command", () => {
  test.for([
    ["an unknown flag", ["--nope"]],
    ["--input without a value", ["--input"]],
    ["an argument", ["folder"]],
    ["a folder that is none", ["--input", MAIN]],
    ["a folder in a file", ["--input", join(MAIN, "x")]],
  ] as const)("%s is told in a sentence, exit code 2", { timeout: 60_000 }, async ([, args]) => {
    const { code, stderr } = await demo(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/\S/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test("a file that is too large is told in a sentence, exit code 3", async () => {
    const input = folder();
    const large = join(input, "large");
    writeFileSync(large, "");
    truncateSync(large, 3 * 2 ** 30); // takes no space on the disk
    const { code, stderr } = await demo(["--input", input]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/large is over \d+ bytes\n$/);
  }, 60_000);

  test.runIf(process.platform === "linux")(
    "a file whose name is no UTF-8 is told in a sentence, exit code 3",
    async () => {
      const input = folder();
      writeFileSync(Buffer.concat([Buffer.from(`${input}/`), Buffer.from([0x66, 0xff])]), "x");
      const { code, stderr } = await demo(["--input", input]);
      expect(code).toBe(3);
      expect(stderr).toMatch(/cannot be read: ENOENT/);
      expect(stderr).not.toMatch(/\n\s+at /);
    },
    60_000,
  );
});
