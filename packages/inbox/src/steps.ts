// The engine by single steps: for tests, simulations and vectors, which need to say what happens when.
export { appendMessages, type NewMessage, type Stream } from "./append.js";
export { Engine } from "./engine.js";
export type { Outcome, Result, RetryRules } from "./outcome.js";
export type { Policy } from "./policy.js";
export type { EngineOptions, Run } from "./runs.js";
export { INBOX_SCHEMA } from "./sql/migrations.js";
export { GroupStore } from "./store.js";
