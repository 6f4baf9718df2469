import { ownManifest } from "../own-manifest.js";
import type { Finding } from "./finding.js";
import { isAtLeast } from "./is-at-least.js";

/** Whether this Node is one that the packages are made for. */
export function checkNode(version: string = process.versions.node): Finding {
  const oldest = ownManifest().engines.node.replace(/^>=/, "");
  const good = isAtLeast(version, oldest);
  return {
    status: good ? "pass" : "fail",
    subject: "Node",
    found: version,
    advice: good ? null : `install Node ${oldest} or newer`,
  };
}
