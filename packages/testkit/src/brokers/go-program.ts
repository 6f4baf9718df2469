import { join } from "node:path";
import { cached } from "./cache.js";
import { findProgram } from "./find-program.js";
import { runTool } from "./run-tool.js";
import type { WaitOptions } from "./types.js";

/** A Go program: a released module's, or one of a module in this repository. */
export type GoSource =
  | { readonly module: string; readonly version: string }
  | { readonly folder: string; readonly version: string };

const BUILD = ["-trimpath", "-ldflags=-s -w"];

/**
 * Builds a Go program once.
 *
 * @param name - of the program's file
 * @returns its absolute path
 * @throws Error when there is no Go here, or the build fails
 */
export async function goProgram(name: string, source: GoSource, options: WaitOptions): Promise<string> {
  const folder = await cached(`${name}-${source.version}`, async (empty) => {
    const go = findProgram("go", "/usr/local/go/bin/go");
    if (go === null) throw new Error(`there is no go to build ${name} with`);
    const env = { CGO_ENABLED: "0", GOBIN: empty };
    if ("module" in source) {
      await runTool(go, ["install", ...BUILD, `${source.module}@${source.version}`], { ...options, env });
    } else {
      await runTool(go, ["build", ...BUILD, "-o", join(empty, name)], { ...options, env, cwd: source.folder });
    }
  });
  return join(folder, name);
}
