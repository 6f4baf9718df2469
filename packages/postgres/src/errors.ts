import { type ErrorDetails, SinkwireError } from "@sinkwire/message";

/**
 * `schema_too_old`: migrations are missing. `schema_too_new`: the schema is more than one version ahead of this package.
 * `store_in_use`: another process has the embedded store open.
 */
export type StoreErrorCode = "schema_too_old" | "schema_too_new" | "store_in_use";

/** A database that this process cannot work with as it is. */
export class StoreError extends SinkwireError {
  declare readonly code: StoreErrorCode;
  constructor(code: StoreErrorCode, message: string, details: Pick<ErrorDetails, "cause"> = {}) {
    super(code, message, { ...details, retryable: code === "store_in_use" });
  }
}

/** PostgreSQL's code of an error: five characters of SQLSTATE, or null when it is of something else. */
export function sqlState(error: unknown): string | null {
  const code = typeof error === "object" && error !== null ? (error as { code?: unknown }).code : null;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}
