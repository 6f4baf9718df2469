import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Part } from "./part.js";
import { ROOT } from "./workspace.js";

/** Where Debian, Ubuntu and Arch put it. */
const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser"];

/** The Chromium to test with: `CHROMIUM_PATH`, else an installed one; null when there is none. */
export function chromiumPath(): string | null {
  const named = process.env["CHROMIUM_PATH"];
  return (named === undefined ? CHROMIUM : [named]).find((path) => existsSync(path)) ?? null;
}

const SDK = join("packages", "sdk-python");
const VENV = join(SDK, ".venv");

/** The Python package's own tests, in a virtual environment of their own. */
export const python: Pick<Part, "commands" | "missing"> = {
  commands: [
    ["python3", "-m", "venv", VENV],
    [join(VENV, "bin", "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "pytest", "build"],
    [join(VENV, "bin", "python"), "-m", "pytest", "-q", SDK, "--junitxml={report}"],
  ],
  missing: () => {
    if (!existsSync(join(ROOT, SDK, "pyproject.toml"))) return `there is no ${SDK}`;
    const script = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";
    return spawnSync("python3", ["-c", script]).status === 0 ? null : "there is no python3 of 3.10 or later with venv";
  },
};
