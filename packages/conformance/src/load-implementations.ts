import { join } from "node:path";
import { ConformanceError } from "./errors.js";
import { locate, readJson } from "./locate.js";
import type { Command, Implementation } from "./types.js";

/**
 * Loads the rows of `conformance/implementations.json`, with `path` made absolute.
 *
 * @throws {@link ConformanceError} `suite_unreadable` outside the repository, where no implementation can be built;
 *   `suite_invalid` for a row that lacks something
 */
export function loadImplementations(): readonly Implementation[] {
  const { repository, conformanceDir } = locate();
  if (repository === null) {
    throw new ConformanceError("suite_unreadable", "no implementations outside the repository: give a command instead");
  }
  const { implementations } = readJson(join(conformanceDir, "implementations.json")) as { implementations?: unknown };
  if (!Array.isArray(implementations) || !implementations.every(isImplementation)) {
    throw new ConformanceError(
      "suite_invalid",
      "implementations.json: each row needs name, language, path, run and suites",
    );
  }
  return implementations.map((row) => ({ ...row, path: join(repository, row.path) }));
}

function isImplementation(row: unknown): row is Implementation {
  const {
    name,
    language,
    path,
    setup = [],
    run,
    suites,
  } = (row ?? {}) as Partial<Record<keyof Implementation, unknown>>;
  const texts = [name, language, path].every((text) => typeof text === "string");
  return texts && isCommand(run) && isTexts(suites) && Array.isArray(setup) && setup.every(isCommand);
}

function isCommand(value: unknown): value is Command {
  return isTexts(value) && value.length > 0;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}
