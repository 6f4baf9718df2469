import { randomUUID } from "node:crypto";
import { constants, type FileHandle, mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { ClaimUnavailableError } from "../errors.js";
import type { ClaimStore } from "../store.js";

/** The only keys there are: a segment can be neither empty, nor a dot, nor hold a separator. */
const KEY = /^claims\/tenant=[A-Za-z0-9_-]{1,64}\/dt=[0-9]{4,5}-[0-9]{2}-[0-9]{2}\/[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
/** A link in place of the file is refused, and a pipe does not hang; both flags are missing on Windows. */
const READ_FLAGS: number = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const FORBIDDEN: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EROFS"]);

/**
 * A store in a folder. An object is written to a temporary file beside its place, synced, renamed, and its folders are
 * synced where the platform can; a reader sees all of it or nothing. Files are readable by their owner alone.
 *
 * Nothing outside of the folder is read or written, whatever the key; links below it are not followed.
 *
 * @param folder - made when it is missing; it may itself be a link
 */
export function fileStore(folder: string): ClaimStore {
  const root = resolve(folder);
  return {
    put: (key, bytes, { signal } = {}) => guarded(signal, () => put(root, key, bytes, signal)),
    read: (key, offset, length, { signal } = {}) => guarded(signal, () => read(root, key, offset, length, signal)),
  };
}

async function put(root: string, key: string, bytes: Uint8Array, signal: AbortSignal | undefined): Promise<void> {
  const segments = segmentsOf(key);
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
  const segments = segmentsOf(key);
  let file: FileHandle;
  try {
    const path = join(await realpath(root), ...segments);
    if ((await realpath(dirname(path))) !== dirname(path)) throw notOwn();
    file = await open(path, READ_FLAGS);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw notOwn();
    const bytes = new Uint8Array(Math.max(0, Math.min(length, stat.size - offset)));
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

function segmentsOf(key: string): string[] {
  if (!KEY.test(key)) throw new ClaimUnavailableError("not a key of a claim store");
  return key.split("/");
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
    if (error instanceof ClaimUnavailableError) throw error;
    const reason = FORBIDDEN.has(codeOf(error)) ? "forbidden" : "unavailable";
    throw new ClaimUnavailableError("the claim folder failed", { reason, cause: error });
  }
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null)?.code;
}
