import { expect, test } from "vitest";
import { implementations, missingProgram } from "../../src/checks/implementations.js";

test("a program on the path is there, one that is not is named", () => {
  expect(missingProgram("node")).toBeNull();
  expect(missingProgram("no-such-program")).toBe("there is no no-such-program on this machine");
});

test("a relative path is looked up in the folder that is given", () => {
  expect(missingProgram("./bin/tool", import.meta.dirname)).toBe("there is no ./bin/tool on this machine");
  expect(missingProgram(process.execPath)).toBeNull();
});

test("the TypeScript row is there and can always run", () => {
  expect(
    implementations()
      .find(({ name }) => name === "typescript")
      ?.missing(),
  ).toBeNull();
});
