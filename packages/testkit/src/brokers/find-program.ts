import { accessSync, constants } from "node:fs";
import { delimiter, resolve } from "node:path";

/**
 * The first of some programs that this user may run.
 *
 * @param names - names, looked up on the path, or absolute paths
 * @returns its absolute path; null when there is none
 */
export function findProgram(...names: readonly string[]): string | null {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  for (const name of names) {
    const places = name.includes("/") ? [name] : folders.map((folder) => resolve(folder, name));
    const found = places.find(isExecutable);
    if (found !== undefined) return found;
  }
  return null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
