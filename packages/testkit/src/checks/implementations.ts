import { accessSync, constants, readFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { ROOT } from "./workspace.js";

interface Implementation {
  readonly name: string;
  readonly path: string;
  readonly setup?: readonly (readonly string[])[];
  readonly run: readonly string[];
}

/** The implementations that `conformance/implementations.json` lists: their names, and what this machine lacks to run them. */
export function implementations(): { readonly name: string; readonly missing: () => string | null }[] {
  const file = readFileSync(join(ROOT, "conformance", "implementations.json"), "utf8");
  return (JSON.parse(file) as { implementations: Implementation[] }).implementations.map((one) => ({
    name: one.name,
    // Later programs may be made by the set-up; the first has to be there.
    missing: () => missingProgram((one.setup?.[0] ?? one.run)[0] ?? "", resolve(ROOT, one.path)),
  }));
}

/**
 * Tells whether a program can be started.
 *
 * @param program - its name, looked up on the path, or a path relative to `folder`
 * @returns why not; null when it can
 */
export function missingProgram(program: string, folder: string = ROOT): string | null {
  const folders = program.includes("/") ? [folder] : (process.env["PATH"] ?? "").split(delimiter);
  return folders.some((one) => isExecutable(resolve(one, program))) ? null : `there is no ${program} on this machine`;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
