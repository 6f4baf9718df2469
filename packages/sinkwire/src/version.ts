import { readFileSync } from "node:fs";

/** The command's version, and the version and digest of the suite that it carries. */
export async function versionText(): Promise<string> {
  const { loadSuite } = await import("@sinkwire/conformance");
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  );
  const { version, digest } = loadSuite();
  return `sinkwire ${manifest.version}\nconformance suite ${version ?? "without a version"}, digest ${digest}`;
}
