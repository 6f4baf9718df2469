import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { publicPackages } from "./workspace.js";

/**
 * Packs every published package, as the registry would get it.
 *
 * @param root - the workspace, built
 * @param folder - where the tarballs go; empty
 * @returns the path of each package's tarball, by package name
 * @throws Error when a package cannot be packed
 */
function packAll(root: string, folder: string): Map<string, string> {
  const filters = publicPackages(root).flatMap(({ manifest }) => ["--filter", manifest.name]);
  const pack = ["--yes", "pnpm@12.4.2", "--recursive", ...filters, "pack", "--pack-destination", folder];
  execFileSync("npx", pack, { cwd: root, stdio: "pipe" });
  const files = readdirSync(folder);
  return new Map(
    publicPackages(root).map(({ manifest: { name } }) => {
      const prefix = `${name.replace("@", "").replace("/", "-")}-`;
      const file = files.find(
        (candidate) => candidate.startsWith(prefix) && /^\d/.test(candidate.slice(prefix.length)),
      );
      if (file === undefined) throw new Error(`no tarball of ${name}`);
      return [name, join(folder, file)];
    }),
  );
}

/**
 * Installs the tarballs of all published packages, which then see each other's tarballs and nothing of the workspace.
 *
 * @param root - the workspace, built
 * @param folder - an empty folder; projects below it find the packages
 * @returns the path of each package's tarball, by package name
 * @throws Error when a package cannot be packed or installed
 */
export function installPacked(root: string, folder: string): Map<string, string> {
  mkdirSync(join(folder, "tarballs"));
  const tarballs = packAll(root, join(folder, "tarballs"));
  const manifest = {
    private: true,
    dependencies: Object.fromEntries([...tarballs].map(([name, path]) => [name, `file:${path}`])),
    overrides: Object.fromEntries([...tarballs.keys()].map((name) => [name, `$${name}`])),
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  const install = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
  execFileSync("npm", install, { cwd: folder, stdio: "pipe" });
  return tarballs;
}
