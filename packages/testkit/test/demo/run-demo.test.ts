import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { Ledger } from "../../src/demo/ledger.js";
import { runDemo } from "../../src/demo/run-demo.js";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

function folderOf(files: Readonly<Record<string, Uint8Array | string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "sinkwire-demo-test-"));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

describe("the demo", () => {
  test("brings back every payload of GitHub's examples, inline and by claim", async () => {
    const file = createRequire(import.meta.url).resolve("@octokit/webhooks-examples");
    const events = JSON.parse(readFileSync(file, "utf8")) as { examples: unknown[] }[];
    const payloads = events.reduce((sum, { examples }) => sum + examples.length, 0);

    const { losses, staged, seen, ...ledger } = await runDemo();

    expect(losses).toEqual([]);
    expect(ledger.sent.size).toBeGreaterThan(payloads);
    expect(ledger.handled).toEqual(new Set(ledger.sent.keys()));
    const claims = [...ledger.tenants.values()].reduce((sum, counts) => sum + counts.claims, 0);
    expect(claims).toBeGreaterThan(0);
    expect(ledger.tenants.size).toBeGreaterThan(2);
    expect(seen).toEqual({ replays: staged.replays, flagged: staged.flagged });
  }, 60_000);

  test("takes any folder of files: empty, binary, large", async () => {
    const input = folderOf({
      "empty.txt": "",
      "binary.bin": Uint8Array.from([0, 255, 10]),
      "large.bin": new Uint8Array(9_000_000),
    });
    const ledger = await runDemo({ input });
    expect(ledger.losses).toEqual([]);
    expect(ledger.total()).toMatchObject({ hooks: 4, inline: 3, claims: 1, bytes: 9_000_003 });
  });

  test("sees a hook that never arrives, and one that was not staged", () => {
    const ledger = new Ledger();
    ledger.sent.set("acme:github:1", { tenant: "acme", sha256: "", flagged: false });
    ledger.of("acme").refused++;
    ledger.settle();
    expect(ledger.losses).toEqual(["acme:github:1 never arrived", "1 refused deliveries instead of 0"]);
  });
});
