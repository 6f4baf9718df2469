import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../checks/workspace.js";
import type { BrokerName } from "./types.js";

const MAIN = join(ROOT, "packages", "testkit", "src", "brokers", "main.ts");

/**
 * Finds or gets what a server needs, and waits for it: minutes the first time, when it is downloaded or built.
 *
 * @returns why it cannot be had; null when it can
 */
export async function missingBroker(name: BrokerName): Promise<string | null> {
  const tsx = join(ROOT, "node_modules", ".bin", "tsx");
  try {
    await promisify(execFile)(tsx, [MAIN, "prepare", name]);
    return null;
  } catch (error) {
    const { stderr, message } = error as Error & { readonly stderr?: string };
    return stderr?.trim() || message;
  }
}
