import { execFile } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { BIN, temporaryFolder } from "./command.js";

const README = readFileSync(fileURLToPath(new URL("../README.md", import.meta.url)), "utf8");
const DECODER = fileURLToPath(new URL("fixtures/decoder.py", import.meta.url));

test("the README's examples run, in order", async () => {
  const folder = temporaryFolder();
  symlinkSync(BIN, join(folder, "sinkwire"));
  symlinkSync(DECODER, join(folder, "my_decoder.py"));
  const blocks = [...README.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block ?? "");
  const script = blocks
    .filter((block) => !block.startsWith("npm install"))
    .join("")
    .replace(/^(sinkwire conformance run .*)$/m, "$1 && exit 9 || test $? = 1"); // that decoder does not encode
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env["PATH"]}` };
  const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], {
    cwd: folder,
    env,
    maxBuffer: 1 << 28,
  });
  expect(script.match(/^sinkwire /gm)?.length).toBeGreaterThan(8);
  expect(stdout).toContain('{"action": "opened"}');
  expect(stdout).toContain('"id":"evt_3"');
  expect(stdout).toContain("message.decode.accept.inline");
});
