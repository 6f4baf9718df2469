export { appendMessages, type NewMessage, type Stream } from "./append.js";
export { InboxError, type InboxErrorCode, LeaseLostError, PermanentError, RetryAfter } from "./errors.js";
export { type GroupOptions, openGroup, openStream, type StreamOptions } from "./inbox.js";
export type { RetryRules } from "./outcome.js";
export type { Policy } from "./policy.js";
export { INBOX_SCHEMA } from "./sql/migrations.js";
export { type InboxHandler, type InboxMessage, runWorker, type WorkerOptions } from "./worker.js";
