import { expect, test } from "vitest";
import { findArrowFaults } from "../src/checks/arrows.js";
import { ROOT } from "../src/checks/workspace.js";

test("every import points to a package that stands above", () => {
  expect(findArrowFaults(ROOT).map(({ file, line, problem }) => `${file}:${line}: ${problem}`)).toEqual([]);
});
