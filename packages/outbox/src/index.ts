export {
  type Attempt,
  attemptId,
  laneBucket,
  laneShard,
  type OrderingDomain,
  orderingDomain,
  profileHash,
  tenantScope,
} from "./derive.js";
export { InvalidLaneTupleError } from "./errors.js";
export {
  type LaneAdapter,
  type LaneIdentity,
  type LaneResource,
  type LaneTuple,
  laneId,
  type ProfileVersion,
} from "./lane-id.js";
export { type Retry, type RetryDelay, retryDelay } from "./retry-delay.js";
