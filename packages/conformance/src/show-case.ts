import { ConformanceError } from "./errors.js";
import type { ConformanceSuite } from "./types.js";

/**
 * Writes one case in full, with its file.
 *
 * @throws {@link ConformanceError} `unknown_case` when no case has this id; names the nearest by prefix
 */
export function showCase(suite: ConformanceSuite, id: string): string {
  const found = suite.cases.find((one) => one.id === id);
  if (found === undefined) {
    const parent = id.slice(0, Math.max(0, id.lastIndexOf(".")));
    const near = suite.cases.filter((one) => parent !== "" && one.id.startsWith(`${parent}.`)).slice(0, 8);
    const hint = near.length === 0 ? "" : `; there are ${near.map((one) => one.id).join(", ")}`;
    throw new ConformanceError("unknown_case", `no case ${id}${hint}`);
  }
  const { kind: _kind, file, ...one } = found;
  return `${file}\n${JSON.stringify(one, null, 2)}\n`;
}
