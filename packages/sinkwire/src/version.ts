import { ownManifest } from "./own-manifest.js";

/** The command's version, and the version and digest of the suite that it carries. */
export async function versionText(): Promise<string> {
  const { loadSuite } = await import("@sinkwire/conformance");
  const { version, digest } = loadSuite();
  return `sinkwire ${ownManifest().version}\nconformance suite ${version ?? "without a version"}, digest ${digest}`;
}
