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
    missing: () => missingProgram(one),
  }));
}

/** The first program that starts it is the one that has to be there; later ones may be made by the set-up. */
function missingProgram({ path, setup = [], run }: Implementation): string | null {
  const [program = ""] = setup[0] ?? run;
  const folders = program.includes("/") ? [] : (process.env["PATH"] ?? "").split(delimiter);
  const candidates = program.includes("/") ? [resolve(ROOT, path, program)] : folders.map((f) => join(f, program));
  return candidates.some(isExecutable) ? null : `there is no ${program} on this machine`;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
