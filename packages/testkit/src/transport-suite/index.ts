export { gcHeapBytes } from "./heap.js";
export { claimOf, HOOKS, plainHook, type SuiteHook } from "./hooks.js";
export { publishUntilTaken } from "./publish-until-taken.js";
export { takeUntil } from "./take-until.js";
export type { Lane, LaneConsumer, LanePublisherOptions, Transport } from "./types.js";
