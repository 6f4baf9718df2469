import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { tenantOf, type Webhook } from "./webhook.js";

/** Largest file that is read into memory whole, in bytes: Node's own limit of 2 GiB. */
const MAX_FILE_BYTES = 2 ** 31 - 1;

/** A file or folder of the input cannot be read; the message says which, and why. */
export class InputUnreadable extends Error {
  override readonly name: string = "InputUnreadable";
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".json": "application/json",
  ".xml": "application/xml",
  ".txt": "text/plain",
};

/**
 * The files of a folder and of the folders in it, each as a webhook's body. One file is in memory at a time.
 *
 * @param folder - its links are not followed
 * @throws {@link InputUnreadable} when the folder or a file cannot be read
 */
export function* folderWebhooks(folder: string): Generator<Webhook> {
  let n = 0;
  for (const path of filesOf(folder)) {
    const body = readable(path, () => readFileSync(path));
    const name = relative(folder, path);
    const contentType = CONTENT_TYPES[extname(path).toLowerCase()] ?? "application/octet-stream";
    yield {
      source: "folder",
      tenant: tenantOf(n++, body.length),
      event: createHash("sha256").update(name).digest("hex"),
      headers: [
        ["Host", "hooks.example.test"],
        ["Content-Type", contentType],
        ["Content-Length", String(body.length)],
        ["X-File-Name", encodeURIComponent(name)],
        ["Authorization", "Bearer example"],
      ],
      body,
      contentType,
    };
  }
}

/**
 * The size of the largest file, in bytes; 0 for a folder without files.
 *
 * @throws {@link InputUnreadable} when the folder or a file cannot be read, or a file is over 2 GiB
 */
export function largestFileBytes(folder: string): number {
  let largest = 0;
  for (const path of filesOf(folder)) {
    const { size } = readable(path, () => statSync(path));
    if (size > MAX_FILE_BYTES) throw new InputUnreadable(`${path} is over ${MAX_FILE_BYTES} bytes`);
    largest = Math.max(largest, size);
  }
  return largest;
}

function filesOf(folder: string): string[] {
  return readable(folder, () => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function readable<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new InputUnreadable(`${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
}
