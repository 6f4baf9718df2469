import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { readJson } from "./locate.js";

/** Says what is wrong with a case, or null. */
export type CaseValidator = (value: unknown) => string | null;

/** Compiles `conformance-case.schema.json`. */
export function caseValidator(schemasDir: string): CaseValidator {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true });
  const validate = ajv.compile(readJson(join(schemasDir, "conformance-case.schema.json")) as object);
  return (value) => {
    if (validate(value)) return null;
    const [error] = validate.errors ?? [];
    const detail = error === undefined ? "" : ` ${JSON.stringify(error.params)}`;
    return `${error?.instancePath || "the case"} ${error?.message ?? "breaks the schema"}${detail}`;
  };
}
