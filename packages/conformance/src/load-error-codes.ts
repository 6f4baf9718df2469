import { join } from "node:path";
import { locate, readJson } from "./locate.js";

/** One error code of the product. */
export interface ErrorCode {
  readonly code: string;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** `"name"` where the error carries the top-level name at fault, else null. */
  readonly field: "name" | null;
  readonly summary: string;
  /** The conformance operations that can answer with it. */
  readonly operations: readonly string[];
}

/**
 * Loads `schemas/error-codes.json`, the product's one list of error codes.
 *
 * @throws {@link ConformanceError} `suite_unreadable` when it is not there
 */
export function loadErrorCodes(): readonly ErrorCode[] {
  const { schemasDir } = locate();
  return (readJson(join(schemasDir, "error-codes.json")) as { codes: readonly ErrorCode[] }).codes;
}
