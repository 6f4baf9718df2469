import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";

test("the main entry uses nothing of Node", async () => {
  const folder = new URL("../src/", import.meta.url);
  const files = (await readdir(folder)).filter((name) => name.endsWith(".ts"));
  expect(files).toContain("index.ts");
  for (const name of files) {
    expect(await readFile(new URL(name, folder), "utf8"), name).not.toMatch(/node:|\.\/node\/|\bBuffer\b|\bprocess\./);
  }
});
