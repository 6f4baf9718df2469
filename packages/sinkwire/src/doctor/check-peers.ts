import { ownManifest } from "../own-manifest.js";
import type { TransportEntry } from "../transports/index.js";
import { peerVersion } from "../transports/peer.js";
import type { Finding } from "./finding.js";
import { isAtLeast } from "./is-at-least.js";

/**
 * Which clients of a transport are there, in which versions.
 *
 * @param isNeeded - whether a server of that transport is to be asked: a missing client is then a failure
 */
export function checkPeers({ peers, name: transport }: TransportEntry, isNeeded: boolean): Finding[] {
  const { peerDependencies } = ownManifest();
  return peers.map((name) => {
    const range = peerDependencies[name] ?? "";
    const oldest = range.replace(/^\^/, "");
    const version = peerVersion(name);
    const install = `npm install ${name}@${range}`;
    if (version === null) {
      return {
        ...{ status: isNeeded ? "fail" : "absent", subject: name, found: "not installed" },
        advice: `for ${transport}: ${install}`,
      } as const;
    }
    const fits = isAtLeast(version, oldest) && version.split(".")[0] === oldest.split(".")[0];
    return {
      ...{ status: fits ? "pass" : "warn", subject: name, found: version },
      advice: fits ? null : `it was tested with ${range}: ${install}`,
    } as const;
  });
}
