import { readFileSync } from "node:fs";

/** What is used of this package's manifest. */
export interface OwnManifest {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/** This package's manifest, which says what it was made for. */
export function ownManifest(): OwnManifest {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as OwnManifest;
}
