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
const PYTHON = join(".venv", "bin", "python");
const pip = (...args: string[]): string[] => [PYTHON, "-m", "pip", "install", "--quiet", ...args];

/** The Python package's own checks and tests, in a virtual environment of their own. */
export const python: Pick<Part, "cwd" | "commands" | "missing"> = {
  cwd: SDK,
  commands: [
    ["python3", "-m", "venv", ".venv"],
    pip("pip>=25.1"),
    pip("--group", "dev"),
    [PYTHON, "-m", "ruff", "check"],
    [PYTHON, "-m", "mypy"],
    [PYTHON, "-m", "pytest", "--junitxml={report}"],
  ],
  missing: () => {
    if (!existsSync(join(ROOT, SDK, "pyproject.toml"))) return `there is no ${SDK}`;
    const script = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";
    return spawnSync("python3", ["-c", script]).status === 0 ? null : "there is no python3 of 3.10 or later with venv";
  },
};
