import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Unreachable } from "../io/exit.js";

/** Peers are looked for beside this command, then from the working folder: a project may have what a global command lacks. */
const PLACES: readonly (string | URL)[] = [import.meta.url, join(process.cwd(), "package.json")];

/**
 * Loads a client that is not bundled.
 *
 * @param name - the package
 * @throws {@link Unreachable} that says what to install
 */
export async function loadPeer<T>(name: string): Promise<T> {
  const file = findPeer(name);
  if (file === null) throw new Unreachable(`${name} is not installed: npm install ${name}`);
  return (await import(pathToFileURL(file).href)) as T;
}

/** The version of a peer that is installed; null when it is not. */
export function peerVersion(name: string): string | null {
  let folder = findPeer(name);
  while (folder !== null && folder !== dirname(folder)) {
    folder = dirname(folder);
    const manifest = join(folder, "package.json");
    if (!existsSync(manifest)) continue;
    const found = JSON.parse(readFileSync(manifest, "utf8")) as { name?: string; version?: string };
    if (found.name === name) return found.version ?? null;
  }
  return null;
}

function findPeer(name: string): string | null {
  for (const place of PLACES) {
    try {
      return createRequire(place).resolve(name);
    } catch {
      // not there
    }
  }
  return null;
}
