import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "./command.js";
import type { Counts, Outcome, Part } from "./part.js";

const NOTHING: Counts = { passed: 0, failed: 0, skipped: 0 };

/**
 * Runs one part.
 *
 * @param part - a row of the table
 * @param options - `root`: the workspace; `folder`: where the report may be written; `requireAll`: skipping is failing
 * @returns what became of it; a failure that no report counts is one failure
 */
export async function runPart(
  part: Part,
  options: { readonly root: string; readonly folder: string; readonly requireAll: boolean },
): Promise<Outcome> {
  const skipped = (await part.missing?.()) ?? null;
  if (skipped !== null) return settle(part, !options.requireAll, NOTHING, skipped, 0, "");

  const report = join(options.folder, `${part.name.replaceAll(/\W/g, "-")}.report`);
  const start = performance.now();
  let ok = true;
  let output = "";
  for (const command of part.commands) {
    const result = await runCommand(
      command.map((word) => word.replace("{report}", report)),
      { cwd: join(options.root, part.cwd ?? "."), env: { CI: "1" }, limitMs: part.limitMs ?? 600_000 },
    );
    output += result.output;
    ok = result.ok;
    if (!ok) break;
  }
  let counts = NOTHING;
  if (part.counts !== undefined) {
    try {
      if (ok || existsSync(report)) counts = part.counts(readFileSync(report, "utf8"));
    } catch (error) {
      ok = false;
      output += `\nthe report cannot be read: ${String(error)}\n`;
    }
    if (counts.failed > 0 || (options.requireAll && counts.skipped > 0)) ok = false;
    if (ok && counts.passed === 0) {
      ok = false;
      output += "\nthe part ran nothing\n";
    }
  }
  return settle(part, ok, counts, null, performance.now() - start, output);
}

function settle(
  part: Part,
  ok: boolean,
  counts: Counts,
  skipped: string | null,
  durationMs: number,
  output: string,
): Outcome {
  const failed = ok ? counts.failed : Math.max(1, counts.failed);
  return { name: part.name, ok, counts: { ...counts, failed }, skipped, durationMs, output };
}
