import type { ConformanceSuite, Json, JsonObject } from "../types.js";
import { caseValidator } from "../validate-case.js";

/** Says whether an operation takes this input: whether a case may hold it. */
export type InputCheck = (operation: string, input: JsonObject) => boolean;

/** Bytes under test have to be bytes; a hook's or a claim's own body may be anything. */
const BYTES: ReadonlySet<string> = new Set(["bytes_base64", "pack_base64"]);

/** Holds inputs against the schema of a case. */
export function inputCheck(schemasDir: string, suiteOf: ReadonlyMap<string, string>): InputCheck {
  const problemOf = caseValidator(schemasDir);
  return (operation, input) => {
    const one = {
      id: "fuzz.input",
      suite: suiteOf.get(operation),
      operation,
      rule: "0-0",
      comment: "an input under check",
      input,
      expect: { error: { code: "none", field: null, retryable: false } },
    } satisfies Partial<Record<keyof ConformanceSuite["cases"][number], unknown>>;
    return problemOf(one) === null && isCarried(input);
  };
}

/** Whether a text is the base64 that its bytes are written as. */
export function isCanonicalBase64(text: string): boolean {
  return Buffer.from(text, "base64").toString("base64") === text;
}

/** Whether what stands for a text or for bytes, such as `{"$utf16"}`, does so. */
function isCarried(value: Json): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([name, item]) => {
    if (name === "$utf16")
      return Array.isArray(item) && item.every((unit) => Number.isInteger(unit) && unit >= 0 && unit <= 0xffff);
    if (name === "base64") return typeof item === "string" && isCanonicalBase64(item);
    return BYTES.has(name) && typeof item === "string" ? isCanonicalBase64(item) : isCarried(item);
  });
}
