import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "../checks/workspace.js";
import type { BrokerName } from "./types.js";

const MAIN = join(ROOT, "packages", "testkit", "src", "brokers", "main.ts");

/**
 * Finds or gets what a server needs, and waits for it: minutes the first time, when it is downloaded or built.
 *
 * @returns why it cannot be had; null when it can
 */
export function missingBroker(name: BrokerName): string | null {
  const tsx = join(ROOT, "node_modules", ".bin", "tsx");
  const { status, stderr, error } = spawnSync(tsx, [MAIN, "prepare", name], { encoding: "utf8" });
  return status === 0 ? null : stderr.trim() || (error?.message ?? "its preparation was ended");
}
