import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, relative, resolve, sep } from "node:path";
import ts from "typescript";
import { entryPoints, type WorkspacePackage, workspacePackages } from "./workspace.js";

/** The packages in order of dependence: each imports only what stands above it. Those on one line know nothing of each other. */
const ORDER: readonly (readonly string[])[] = [
  ["message"],
  ["delivery"],
  ["claim-check"],
  ["kafka", "nats", "rabbitmq", "redis", "sqs", "google-pubsub"],
  ["postgres"],
  ["inbox", "outbox"],
  ["asyncapi"],
  ["conformance"],
  ["sinkwire"],
  ["testkit"],
  ["bench", "chaos"],
];
/** Packages that import none of ours, wherever they stand. */
const ALONE = ["message", "conformance"];

/** An arrow that points the wrong way. */
export interface Fault {
  /** Relative to the workspace. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly problem: string;
}

/**
 * Looks for imports and dependencies that the order of the packages forbids.
 *
 * @param root - the workspace
 * @returns every fault, in order of file and line; empty when the arrows hold
 */
export function findArrowFaults(root: string): Fault[] {
  const packages = workspacePackages(root);
  return packages.flatMap((one) => [...manifestFaults(root, one, packages), ...sourceFaults(root, one, packages)]);
}

function manifestFaults(root: string, one: WorkspacePackage, packages: readonly WorkspacePackage[]): Fault[] {
  const path = join(one.folder, "package.json");
  const lines = readFileSync(path, "utf8").split("\n");
  const fault = (name: string, problem: string): Fault => ({
    file: relative(root, path),
    line: Math.max(1, lines.findIndex((line) => line.includes(`"${name}":`)) + 1),
    problem,
  });
  const { dependencies, peerDependencies, optionalDependencies, devDependencies } = one.manifest;
  const shipped = Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies });
  const faults = shortName(one) === "message" ? shipped.map((name) => fault(name, `message depends on ${name}`)) : [];
  for (const name of [...shipped, ...Object.keys(devDependencies ?? {})]) {
    const problem = arrowProblem(one, name, packages);
    if (problem !== null) faults.push(fault(name, problem));
  }
  if (rank(one) === -1) faults.push(fault("name", `${shortName(one)} has no place in the order of packages`));
  return faults;
}

function sourceFaults(root: string, one: WorkspacePackage, packages: readonly WorkspacePackage[]): Fault[] {
  const source = join(one.folder, "src");
  const allowed = new Set(packages.flatMap((other) => [...entryPoints(other), `${other.manifest.name}/package.json`]));
  return sourceFiles(source).flatMap((path) => {
    const text = readFileSync(path, "utf8");
    const problemOf = (specifier: string): string | null => {
      if (specifier.startsWith(".")) {
        const target = resolve(path, "..", specifier);
        return target.startsWith(one.folder + sep) ? null : `${specifier} leaves the package`;
      }
      if (shortName(one) === "message" && isBuiltin(specifier) && !path.startsWith(join(source, "runtime") + sep)) {
        return `message imports ${specifier} outside of src/runtime`;
      }
      const owner = packages.find(({ manifest: { name } }) => specifier === name || specifier.startsWith(`${name}/`));
      if (owner === undefined || owner === one) return null;
      if (!allowed.has(specifier)) return `${specifier} is not an entry point of ${owner.manifest.name}`;
      return arrowProblem(one, owner.manifest.name, packages);
    };
    return ts.preProcessFile(text, true, true).importedFiles.flatMap(({ fileName, pos }) => {
      const problem = problemOf(fileName);
      return problem === null ? [] : [{ file: relative(root, path), line: lineAt(text, pos), problem }];
    });
  });
}

/** What is wrong with one package of the workspace using another; null when nothing is, or when it is not of the workspace. */
function arrowProblem(from: WorkspacePackage, name: string, packages: readonly WorkspacePackage[]): string | null {
  const to = packages.find(({ manifest }) => manifest.name === name);
  if (to === undefined) return null;
  if (ALONE.includes(shortName(from))) return `${shortName(from)} imports ${name} and may import none of ours`;
  return rank(to) < rank(from) ? null : `${shortName(from)} imports ${name}, which does not stand above it`;
}

function shortName({ manifest }: WorkspacePackage): string {
  return manifest.name.replace("@sinkwire/", "");
}

function rank(one: WorkspacePackage): number {
  return ORDER.findIndex((level) => level.includes(shortName(one)));
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.[cm]?tsx?$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split("\n").length;
}
