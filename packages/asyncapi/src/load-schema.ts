import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "./document.js";
import { SCHEMA_FILES } from "./schema-files.js";

/** A schema that the package carries. */
export type SchemaName = keyof typeof SCHEMA_FILES;

/**
 * Reads one of the JSON Schemas (2020-12) that the package carries.
 *
 * @param name - `message`, `metadata` (headers and attributes alike), `claimRef`, or `errorCodes` (the list of codes)
 * @returns the schema, the caller's own copy; it holds no reference to another
 */
export function loadSchema(name: SchemaName): JsonObject {
  const file = fileURLToPath(new URL(`../dist/schemas/${SCHEMA_FILES[name]}`, import.meta.url));
  return JSON.parse(readFileSync(file, "utf8")) as JsonObject;
}
