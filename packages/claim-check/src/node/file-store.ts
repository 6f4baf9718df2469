import { randomUUID } from "node:crypto";
import { access, constants, type FileHandle, mkdir, open, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { InvalidHookError, isSinkwireError } from "@sinkwire/message";
import { ClaimUnavailableError } from "../errors.js";
import type { ClaimStore } from "../store.js";
import { checkPut, checkRead } from "../store-arguments.js";

/** A link in place of the file is refused, and a pipe does not hang; both flags are missing on Windows. */
const READ_FLAGS: number = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const FORBIDDEN: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EROFS"]);

/**
 * A store in a folder. An object is written to a temporary file beside its place, synced, renamed, and its folders are
 * synced where the platform can; a reader sees all of it or nothing. Files are readable by their owner alone.
 *
 * Nothing outside of the folder is read or written, whatever the key; links below it are not followed.
 *
 * While the folder is missing, as when its volume is not mounted, every claim is unavailable and none is gone.
 *
 * @param folder - made by the first `put` when it is missing; it may itself be a link
 * @throws `InvalidHookError` (`folder`)
 */
export function fileStore(folder: string): ClaimStore {
  if (typeof folder !== "string" || folder === "" || folder.includes("\0")) {
    throw new InvalidHookError("folder", "not a path");
  }
  const root = resolve(folder);
  return {
    put: (key, bytes, { signal } = {}) => guarded(signal, () => put(root, key, bytes, signal)),
    read: (key, offset, length, { signal } = {}) => guarded(signal, () => read(root, key, offset, length, signal)),
    check: ({ signal } = {}) => guarded(signal, () => checkRoot(root)),
  };
}

async function put(root: string, key: string, bytes: Uint8Array, signal: AbortSignal | undefined): Promise<void> {
  checkPut(key, bytes);
  const segments = key.split("/");
  const name = segments.pop() as string;
  await mkdir(root, { recursive: true, mode: 0o700 });
  const folders = [await realpath(root)];
  for (const segment of segments) folders.push(await ownFolder(join(folders.at(-1) as string, segment)));
  const folder = folders.at(-1) as string;
  const temporary = join(folder, `.${name}.${randomUUID()}`);
  try {
    await writeDurably(temporary, bytes, signal);
    await rename(temporary, join(folder, name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  for (const each of folders.reverse()) await syncFolder(each);
}

async function read(
  root: string,
  key: string,
  offset: number,
  length: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | null> {
  checkRead(key, offset, length);
  let file: FileHandle;
  try {
    const path = join(await realpath(root), ...key.split("/"));
    if ((await realpath(dirname(path))) !== dirname(path)) throw notOwn();
    file = await open(path, READ_FLAGS);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    await checkRoot(root);
    return null;
  }
  try {
    const status = await file.stat();
    if (!status.isFile()) throw notOwn();
    const bytes = new Uint8Array(Math.max(0, Math.min(length, status.size - offset)));
    let done = 0;
    while (done < bytes.length) {
      signal?.throwIfAborted();
      const { bytesRead } = await file.read(bytes, done, bytes.length - done, offset + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return bytes.subarray(0, done);
  } finally {
    await file.close();
  }
}

/** A claim can only be missing from a folder that is there. */
async function checkRoot(root: string): Promise<void> {
  if (!(await stat(root)).isDirectory()) throw new ClaimUnavailableError("the claim folder is not a folder");
  await access(root, constants.X_OK);
}

/** Makes a folder unless it is there, and refuses a link, or on some platforms another spelling, in its place. */
async function ownFolder(path: string): Promise<string> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  if ((await realpath(path)) !== path) throw notOwn();
  return path;
}

async function writeDurably(path: string, bytes: Uint8Array, signal: AbortSignal | undefined): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(bytes, { signal });
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a rename and a new folder outlive a crash. Windows cannot open a folder; its file system logs the change. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, constants.O_RDONLY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function notOwn(): ClaimUnavailableError {
  return new ClaimUnavailableError("a link or a foreign file stands in the claim store's place");
}

async function guarded<T>(signal: AbortSignal | undefined, operation: () => Promise<T>): Promise<T> {
  signal?.throwIfAborted();
  try {
    return await operation();
  } catch (error) {
    signal?.throwIfAborted();
    if (isSinkwireError(error)) throw error;
    const reason = FORBIDDEN.has(codeOf(error)) ? "forbidden" : "unavailable";
    throw new ClaimUnavailableError("the claim folder failed", { reason, cause: error });
  }
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null)?.code;
}
