export { gcHeapBytes } from "./heap.js";
export { claimOf, HOOKS, plainHook } from "./hooks.js";
export { publishUntilTaken } from "./publish-until-taken.js";
export { takeUntil } from "./take-until.js";
export type { Lane, Transport } from "./types.js";
