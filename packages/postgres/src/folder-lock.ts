import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { StoreError } from "./errors.js";

/**
 * Locks a folder for this process, with a file beside it that holds the process's id. A file that a dead process left is
 * taken over.
 *
 * @param folder - need not exist
 * @returns what unlocks it
 * @throws StoreError (`store_in_use`) when a living process has it, this one too
 */
export function lockFolder(folder: string): () => void {
  const file = `${resolve(folder)}.lock`;
  mkdirSync(dirname(file), { recursive: true });
  for (;;) {
    try {
      writeFileSync(file, `${process.pid}\n`, { flag: "wx" });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const owner = ownerOf(file);
    if (owner === null) continue;
    if (isAlive(owner)) throw new StoreError("store_in_use", `process ${owner} has the store open`);
    takeAway(file, owner);
  }
}

/** Null when the file has just gone. */
function ownerOf(file: string): number | null {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** A process that is still writing its id (an empty file) counts as alive. */
function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** Moves a dead process's file away, and puts it back when it was a living one's by then. */
function takeAway(file: string, owner: number): void {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if (ownerOf(aside) === owner) rmSync(aside);
  else renameSync(aside, file);
}
