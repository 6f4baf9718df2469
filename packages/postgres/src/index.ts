export type { PooledClient, SqlClient, SqlPool, SqlResult } from "./client.js";
export { StoreError, type StoreErrorCode, sqlState } from "./errors.js";
export { quoteSchema, quoteText } from "./identifier.js";
export {
  checkSchema,
  type Migration,
  type MigrationSet,
  migrate,
  migrationScript,
  type SchemaOptions,
  schemaVersion,
} from "./migrations.js";
export { retryConflicts } from "./retry-conflicts.js";
export { listenForWakeups, type WakeupOptions, type Wakeups } from "./wakeups.js";
export { withClient } from "./with-client.js";
