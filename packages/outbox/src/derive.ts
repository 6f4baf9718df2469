import { digest, lp32, u32, u64 } from "./bytes.js";
import { canonicalJson } from "./canonical-json.js";
import { hexBytes, hookId, name, text, u32Value, u64Value } from "./check.js";

/**
 * The routing scope of a tenant.
 *
 * @param tenant_id - null and `""` are the same: no tenant
 * @returns 32 bytes as lowercase hex
 * @throws InvalidLaneTupleError (`tenant_id`) for text that is not well-formed
 */
export function tenantScope(tenant_id: string | null | undefined): string {
  return digest("sinkwire-tenant-scope-v1", lp32(text(tenant_id ?? "", "tenant_id"))).toString("hex");
}

/** What an ordering domain is made of. */
export interface OrderingDomain {
  /** The tenant's routing scope, 32 bytes as lowercase hex. */
  readonly scope: string;
  readonly profile_id: string;
  /** A decimal u64 that is not 0. */
  readonly profile_version: string;
  /** Taken as its bytes are. */
  readonly ordering_key: string;
}

/**
 * The ordering domain of a key under a profile version: the lane that keeps the key's order names it.
 *
 * @param domain - scope, profile and key
 * @returns 32 bytes as lowercase hex
 * @throws InvalidLaneTupleError with the first malformed field, in the order of {@link OrderingDomain}
 */
export function orderingDomain(domain: OrderingDomain): string {
  const scope = hexBytes(domain.scope, "scope", 32);
  const id = lp32(name(domain.profile_id, "profile_id", 256));
  const version = u64(u64Value(domain.profile_version, "profile_version", 1n));
  const key = lp32(text(domain.ordering_key, "ordering_key"));
  return digest("sinkwire-ordering-domain-v1", scope, id, version, key).toString("hex");
}

/**
 * The bucket of an unordered hook: hooks spread over a profile's buckets, each hook always to the same one.
 *
 * @param hook_id - the hook's id
 * @param buckets - how many buckets the profile has, 1 or more
 * @returns 0 to `buckets` - 1
 * @throws InvalidLaneTupleError (`hook_id`, `buckets`)
 */
export function laneBucket(hook_id: string, buckets: number): number {
  const hash = digest("sinkwire-lane-bucket-v1", lp32(hookId(hook_id)));
  return Number(hash.readBigUInt64BE() % BigInt(u32Value(buckets, "buckets", 1)));
}

/**
 * The hash of a profile version.
 *
 * @param profile - `id`, `version` (a decimal u64 that is not 0) and `fields`: all of them, null for none
 * @returns 32 bytes as lowercase hex
 * @throws InvalidLaneTupleError (`id`, `version`, or `fields` for what is not an object of JSON values)
 */
export function profileHash(profile: {
  readonly id: string;
  readonly version: string;
  readonly fields: Readonly<Record<string, unknown>>;
}): string {
  const id = lp32(name(profile.id, "id", 256));
  const version = u64(u64Value(profile.version, "version", 1n));
  return digest("sinkwire-profile-v1", id, version, lp32(canonicalJson(profile.fields, "fields"))).toString("hex");
}

/**
 * The shard that owns a lane.
 *
 * @param lane_id - 32 bytes as lowercase hex
 * @param shards - how many shards the outbox has, 1 or more
 * @returns 0 to `shards` - 1
 * @throws InvalidLaneTupleError (`lane_id`, `shards`)
 */
export function laneShard(lane_id: string, shards: number): number {
  const hash = digest("sinkwire-outbox-shard-v1", hexBytes(lane_id, "lane_id", 32));
  return hash.readUInt32BE() % u32Value(shards, "shards", 1);
}

/** What a publish attempt is. */
export interface Attempt {
  /** 32 bytes as lowercase hex. */
  readonly lane_id: string;
  /** What the broker dedupes on, see `deliveryId`. */
  readonly delivery_id: string;
  /** 0, one more with each replay. */
  readonly generation: number;
  /** From 1. */
  readonly attempt: number;
}

/**
 * The id of one publish attempt.
 *
 * @param attempt - lane, delivery, generation and attempt
 * @returns 32 bytes as lowercase hex
 * @throws InvalidLaneTupleError with the first malformed field, in the order of {@link Attempt}
 */
export function attemptId(attempt: Attempt): string {
  const lane = hexBytes(attempt.lane_id, "lane_id", 32);
  const delivery = lp32(text(attempt.delivery_id, "delivery_id"));
  const generation = u32(u32Value(attempt.generation, "generation"));
  const number = u32(u32Value(attempt.attempt, "attempt", 1));
  return digest("sinkwire-publish-attempt-v1", lane, delivery, generation, number).toString("hex");
}
