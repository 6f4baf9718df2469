import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FuzzOptions, type FuzzReport, formatFuzz, fuzz, type Implementation } from "@sinkwire/conformance";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MutantBuilder } from "../src/mutation/build-mutant.js";
import type { Mutant } from "../src/mutation/mutant.js";

const WRONG_DECODER: Mutant = {
  name: "an empty id",
  file: "message/src/fields.ts",
  find: '|| id === "") return invalidField',
  replace: ") return invalidField",
};
const WRONG_ENCODER: Mutant = {
  name: "a claim message over maxBytes",
  file: "message/src/encode.ts",
  find: "if (size > limits.maxBytes) throw",
  replace: "if (false as boolean) throw",
};

let folder: string;
let builder: MutantBuilder;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "sinkwire-fuzz-"));
  builder = await MutantBuilder.of("runner.ts", "esm");
});
afterAll(async () => {
  await builder.dispose();
  rmSync(folder, { recursive: true, force: true });
});

async function implementation(name: string, mutant: Mutant | null): Promise<Implementation> {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, await builder.build(mutant));
  const suites = ["message", "claim-refs", "packs", "metadata"];
  return { name, language: "TypeScript", path: folder, run: [process.execPath, file], suites };
}

const run = (options: Omit<FuzzOptions, "outDir">): Promise<FuzzReport> => fuzz({ ...options, outDir: folder });

test("the codec holds its invariants, and a seed gives the same run again", async () => {
  const implementations = [await implementation("right", null)];
  const first = await run({ implementations, inputs: 1_200, seed: 7 });
  expect(first.findings).toEqual([]);
  expect(first.faults).toEqual([]);
  expect(first.counts.reduce((sum, { inputs }) => sum + inputs, 0)).toBe(1_200);
  for (const { inputs, accepted, refused } of first.counts) expect(accepted + refused).toBe(inputs);
  expect(first.counts.every(({ accepted }) => accepted > 0)).toBe(true);
  const again = await run({ implementations, inputs: 1_200, seed: 7 });
  expect(again.counts).toEqual(first.counts);
  expect(again.followUps).toBe(first.followUps);
});

test("a wrong implementation is told from a right one; the input is shrunk and saved undecided", async () => {
  const implementations = [await implementation("right", null), await implementation("wrong", WRONG_DECODER)];
  const report = await run({ implementations, inputs: 3_000, seed: 1, operations: ["decode_message"] });
  const found = report.findings.find(({ answers }) => JSON.stringify(answers["right"]).includes('"field":"id"'));
  expect(found).toMatchObject({
    operation: "decode_message",
    answers: { right: { error: { code: "invalid_field", field: "id", retryable: false } } },
  });
  expect(formatFuzz(report)).toContain(`FOUND ${found?.id}`);

  const [saved] = JSON.parse(readFileSync(found?.file ?? "", "utf8"));
  expect(saved).toMatchObject({ id: found?.id, suite: "message", rule: null, expect: { undecided: found?.answers } });
  expect(found?.id).toMatch(/^message\.decode_message\.found\.[0-9a-f]{12}$/);

  const message = JSON.parse(Buffer.from(String(found?.input["bytes_base64"]), "base64").toString("utf8"));
  expect(message.id).toBe("");
  const needed = ["v", "id", "source_id", "received_at", "size", "sha256", "claim", "body_base64"];
  expect(Object.keys(message).filter((name) => !needed.includes(name))).toEqual([]);

  const again = await run({ implementations, inputs: 3_000, seed: 1, operations: ["decode_message"] });
  expect(again.findings.map(({ id }) => id)).toContain(found?.id);
});

test("an implementation that contradicts itself is found without another one", async () => {
  const implementations = [await implementation("wrong", WRONG_ENCODER)];
  const report = await run({ implementations, inputs: 2_000, seed: 3, operations: ["encode_message", "plan_message"] });
  expect(report.findings.map(({ detail }) => detail)).toContainEqual(expect.stringContaining("the plan is the form"));
});

test("a runner that dies is found by the input that kills it", async () => {
  const file = join(folder, "dying.mjs");
  writeFileSync(
    file,
    `import { createInterface } from "node:readline";
     for await (const line of createInterface({ input: process.stdin })) {
       const { id, input } = JSON.parse(line);
       if (JSON.stringify(input.id).includes("acme")) process.exit(3);
       console.log(JSON.stringify({ id, error: { code: "invalid_hook", field: "id", retryable: false } }));
     }`,
  );
  const dying = {
    name: "dying",
    language: "none",
    path: folder,
    run: [process.execPath, file],
    suites: ["message"],
  } as const;
  const report = await run({ implementations: [dying], inputs: 200, seed: 5, operations: ["delivery_id"] });
  expect(report.findings).toContainEqual(
    expect.objectContaining({ detail: expect.stringContaining("crash"), operation: "delivery_id" }),
  );
  const crash = report.findings.find(({ detail }) => detail.includes("crash"));
  expect(JSON.stringify(crash?.input["id"])).toContain("acme");
});
