import { findProgram } from "./find-program.js";
import { runTool } from "./run-tool.js";
import type { WaitOptions } from "./types.js";

let lists: Promise<string> | null = null;

/**
 * Installs packages on Debian, as root. The lists are read anew once per process.
 *
 * @throws Error when this is not root on Debian, or the packages cannot be had
 */
export async function installDebian(packages: readonly string[], options: WaitOptions): Promise<void> {
  const what = packages.join(" and ");
  const apt = findProgram("apt-get");
  if (apt === null) throw new Error(`${what} is not installed, and this is not Debian`);
  if (process.getuid?.() !== 0) throw new Error(`${what} is not installed, and only root can install it`);
  const run = (...args: string[]): Promise<string> =>
    runTool(apt, ["-qq", "-y", "-o", "DPkg::Lock::Timeout=120", ...args], {
      ...options,
      env: { DEBIAN_FRONTEND: "noninteractive" },
    });
  lists ??= run("update");
  await lists;
  await run("install", "--no-install-recommends", ...packages);
}

/**
 * A program, installed by a Debian package when it is missing.
 *
 * @param programs - names or absolute paths, the best first
 * @returns its absolute path
 * @throws Error when it cannot be had
 */
export async function debianProgram(
  programs: readonly string[],
  packages: readonly string[],
  options: WaitOptions,
): Promise<string> {
  const found = findProgram(...programs);
  if (found !== null) return found;
  await installDebian(packages, options);
  const installed = findProgram(...programs);
  if (installed === null) throw new Error(`${packages.join(" and ")} brought no ${programs.join(" or ")}`);
  return installed;
}
