import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The workspace's root folder, from the sources and from what is built of them alike. */
export const ROOT: string = rootAbove(fileURLToPath(import.meta.url));

/** What the checks read of a `package.json`. */
export interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** An npm package of the workspace. */
export interface WorkspacePackage {
  /** Its absolute folder. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/**
 * The npm packages of a workspace, in the order of their folders' names.
 *
 * @param root - a folder that holds `packages/`
 */
export function workspacePackages(root: string): WorkspacePackage[] {
  return readdirSync(join(root, "packages"))
    .sort()
    .map((name) => join(root, "packages", name))
    .filter((folder) => existsSync(join(folder, "package.json")))
    .map((folder) => ({
      folder,
      manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest,
    }));
}

/** The packages that are published. */
export function publicPackages(root: string): WorkspacePackage[] {
  return workspacePackages(root).filter(({ manifest }) => manifest.private !== true);
}

/** The specifiers that users may import from a package, `./package.json` left out. */
export function entryPoints({ manifest }: WorkspacePackage): string[] {
  return Object.keys(manifest.exports ?? {})
    .filter((path) => path !== "./package.json")
    .map((path) => manifest.name + path.slice(1));
}

function rootAbove(path: string): string {
  const folder = dirname(path);
  if (existsSync(join(folder, "pnpm-workspace.yaml"))) return folder;
  if (folder === path) throw new Error("there is no pnpm-workspace.yaml above");
  return rootAbove(folder);
}
