import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lockFolder } from "../src/folder-lock.js";

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "sinkwire-lock-"));
});
afterEach(() => rmSync(parent, { recursive: true }));

const inUse = expect.objectContaining({ code: "store_in_use", retryable: true });

it("lets one in at a time", () => {
  const folder = join(parent, "deep", "store");
  const unlock = lockFolder(folder);
  expect(() => lockFolder(`${folder}/`)).toThrow(inUse);
  unlock();
  lockFolder(folder)();
  expect(existsSync(`${folder}.lock`)).toBe(false);
});

it("takes over what a dead process left", () => {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  writeFileSync(join(parent, "store.lock"), `${pid}\n`);
  const unlock = lockFolder(join(parent, "store"));
  expect(() => lockFolder(join(parent, "store"))).toThrow(inUse);
  unlock();
});

it.each(["", "nobody\n", "0\n"])("leaves a file alone that names no process: %j", (text) => {
  writeFileSync(join(parent, "store.lock"), text);
  expect(() => lockFolder(join(parent, "store"))).toThrow(inUse);
});
