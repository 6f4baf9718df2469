import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { tenantOf, type Webhook } from "./webhook.js";

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".json": "application/json",
  ".xml": "application/xml",
  ".txt": "text/plain",
};

/**
 * The files of a folder and of the folders in it, each as a webhook's body. One file is in memory at a time.
 *
 * @param folder - its links are not followed
 */
export function* folderWebhooks(folder: string): Generator<Webhook> {
  let n = 0;
  for (const path of filesOf(folder)) {
    const body = readFileSync(path);
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

/** The size of the largest file, in bytes; 0 for a folder without files. */
export function largestFileBytes(folder: string): number {
  return filesOf(folder).reduce((largest, path) => Math.max(largest, statSync(path).size), 0);
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
