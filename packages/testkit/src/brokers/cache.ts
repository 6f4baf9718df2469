import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../checks/workspace.js";

/** Where jars and binaries are kept between runs. Git does not see it. */
export const CACHE: string = join(ROOT, "packages", "testkit", ".cache");

/**
 * A folder of the cache, filled when it is not there yet. Two processes may fill it at once: one result is kept whole.
 *
 * @param name - names the content for good, its version included
 * @param fill - writes the content into the empty folder that it is given
 * @returns the absolute path of the folder
 */
export async function cached(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const target = join(CACHE, name);
  if (existsSync(target)) return target;
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, ".filling-"));
  try {
    await fill(folder);
    if (!existsSync(target)) renameSync(folder, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return target;
}
