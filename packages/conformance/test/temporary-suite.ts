import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Implementation } from "../src/index.js";

/** A folder of cases in a temporary place, removed after the test. `files` is path below it → content. */
export function temporarySuite(files: Readonly<Record<string, unknown>>, rules?: string): string {
  const root = mkdtempSync(join(tmpdir(), "sinkwire-suite-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const casesDir = join(root, "cases");
  mkdirSync(casesDir);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(casesDir, path)), { recursive: true });
    writeFileSync(join(casesDir, path), typeof content === "string" ? content : JSON.stringify(content));
  }
  if (rules !== undefined) writeFileSync(join(root, "README.md"), rules);
  writeFileSync(join(root, "suite.json"), '{"name":"a test","version":"9.8.7"}');
  return casesDir;
}

/** A case that is sound, with changes. */
export function deliveryIdCase(id: string, changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    id,
    suite: "message",
    operation: "delivery_id",
    rule: "1.4-1",
    comment: "rule 1.4-1: a case of a test",
    input: { id: `evt-${id}` },
    expect: { ok: { delivery_id: `evt-${id}` } },
    ...changes,
  };
}

/** A runner that answers `delivery_id`, rightly or, when told so, wrongly. */
export function deliveryIdRunner(mode: "right" | "wrong" | "failing"): Implementation {
  const script = fileURLToPath(new URL("fixtures/delivery-id.mjs", import.meta.url));
  return { name: mode, language: "test", path: ".", run: [process.execPath, script, mode], suites: ["message"] };
}
