import {
  type LaneTuple,
  laneBucket,
  laneId,
  laneShard,
  type OrderingDomain,
  orderingDomain,
  profileHash,
  type Retry,
  retryDelay,
  tenantScope,
} from "@sinkwire/outbox";
import type { Operation } from "../input.js";

/** The operations of the suite lane-id. */
export const laneIds: readonly (readonly [string, Operation])[] = [
  ["lane_id", (input) => laneId(input as unknown as LaneTuple)],
  ["tenant_scope", (input) => ({ scope: tenantScope(input["tenant_id"] as string) })],
  ["ordering_domain", (input) => ({ domain_hash: orderingDomain(input as unknown as OrderingDomain) })],
  ["lane_bucket", (input) => ({ bucket: laneBucket(input["hook_id"] as string, input["buckets"] as number) })],
  ["profile_hash", (input) => ({ hash: profileHash(input as unknown as Parameters<typeof profileHash>[0]) })],
  ["lane_shard", (input) => ({ shard: laneShard(input["lane_id"] as string, input["shards"] as number) })],
  ["retry_delay", (input) => retryDelay(input as unknown as Retry)],
];
