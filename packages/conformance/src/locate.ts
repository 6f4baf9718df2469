import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ConformanceError } from "./errors.js";

/** Where the parts of a suite lie. */
export interface SuiteFiles {
  readonly casesDir: string;
  /** Holds `suite.json` (the version), `README.md` (the rules) and `implementations.json`. */
  readonly conformanceDir: string;
  readonly schemasDir: string;
  /** The repository, or null for the vectors that the package carries. */
  readonly repository: string | null;
}

/** What this package carries in its tarball, put there by its build. */
const CARRIED: string = fileURLToPath(new URL("../dist/data", import.meta.url));

/**
 * Finds the vectors: those of `casesDir` when given, else the repository's when the working folder is inside it, else
 * the ones that this package carries.
 *
 * @throws {@link ConformanceError} `suite_unreadable` when there are none
 */
export function locate(options: { readonly casesDir?: string | undefined } = {}): SuiteFiles {
  const repository = findRepository(process.cwd());
  const root = repository ?? CARRIED;
  const schemasDir = join(root, "schemas");
  const conformanceDir =
    options.casesDir === undefined ? join(root, "conformance") : dirname(resolve(options.casesDir));
  const casesDir = options.casesDir === undefined ? join(conformanceDir, "cases") : resolve(options.casesDir);
  for (const folder of [casesDir, schemasDir]) {
    if (!existsSync(folder)) {
      throw new ConformanceError(
        "suite_unreadable",
        `${folder} is not there: name a folder of cases, or build the package`,
      );
    }
  }
  return { casesDir, conformanceDir, schemasDir, repository };
}

/** Reads a JSON file. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new ConformanceError("suite_unreadable", `${file}: ${(cause as Error).message}`, { cause });
  }
}

function findRepository(from: string): string | null {
  const marker = join(from, "conformance", "suite.json");
  if (existsSync(marker) && (readJson(marker) as { name?: unknown }).name === "sinkwire") return from;
  const parent = dirname(from);
  return parent === from ? null : findRepository(parent);
}
