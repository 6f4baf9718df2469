import { digest, lp32, u32, u64 } from "./bytes.js";
import { hexBytes, name, record, u32Value, u64Value } from "./check.js";
import { InvalidLaneTupleError } from "./errors.js";

/** The adapters that a lane may publish through, with their numbers in the tuple. */
const ADAPTERS = {
  kafka: 1,
  pulsar: 2,
  rabbitmq: 16,
  nats: 17,
  redis: 18,
  sqs: 19,
  google_pubsub: 20,
  http: 21,
} as const;

/** The name of an adapter in a lane's identity. */
export type LaneAdapter = keyof typeof ADAPTERS;

/** Which broker resource a lane publishes to, and which incarnation of it. Must fit the adapter. */
export type LaneResource =
  /** Kafka: the topic's UUID, 32 lowercase hex digits. */
  | { readonly topic_uuid: string }
  /** Pulsar: a token of 32 bytes as lowercase hex, and the creation time, not 0. */
  | { readonly incarnation: string; readonly created_ms: string }
  /** The others: a token of 1 to 256 bytes, and the creation time, 0 when unknown. */
  | { readonly token: string; readonly created_ms: string };

/** A version of a destination or capability profile. */
export interface ProfileVersion {
  /** 1 to 256 bytes. */
  readonly id: string;
  /** A decimal u64 that is not 0. */
  readonly version: string;
  /** 32 bytes as lowercase hex, see {@link profileHash}. */
  readonly hash: string;
}

/** What a lane is: everything that must differ for two lanes to be two. Bytes are lowercase hex, u64 decimal text. */
export interface LaneTuple {
  /** Tenant routing scope, see {@link tenantScope}. */
  readonly scope: string;
  readonly adapter: LaneAdapter;
  /** The target cluster's authenticated id, 1 to 256 bytes. */
  readonly cluster: string;
  readonly resource: LaneResource;
  /** The physical topic or full address, 1 to 1,024 bytes. Not given for Kafka, whose topic is its UUID. */
  readonly topic?: string | null | undefined;
  /** 0 where there is none. */
  readonly partition: number;
  readonly profile: ProfileVersion;
  readonly capability: ProfileVersion;
  /** The domain whose order the lane keeps, see {@link orderingDomain}; or its bucket of unordered hooks. */
  readonly ordering: { readonly domain_hash: string } | { readonly bucket: number };
}

/** A lane's id, and the canonical bytes that it is the digest of. */
export interface LaneIdentity {
  /** Lowercase hex. */
  readonly tuple: string;
  /** 64 lowercase hex digits. */
  readonly lane_id: string;
}

/** Adapters from this number on are this product's own; ids of those below are shared with the system that defined them. */
const FIRST_OWN_ADAPTER = 16;

/**
 * Gives a lane's id: the digest of its tuple. Weights, limits, endpoints, credentials and display names are not in it.
 *
 * @param tuple - the lane's tuple
 * @returns the id and the bytes that it stands for
 * @throws InvalidLaneTupleError with the first malformed field, in the order of {@link LaneTuple}
 */
export function laneId(tuple: LaneTuple): LaneIdentity {
  const scope = hexBytes(tuple.scope, "scope", 32);
  const adapter = adapterNumber(tuple.adapter);
  const bytes = Buffer.concat([
    scope,
    Buffer.of(adapter),
    lp32(name(tuple.cluster, "cluster", 256)),
    resourceBytes(tuple.resource, adapter),
    topicBytes(tuple, adapter),
    u32(u32Value(tuple.partition, "partition")),
    profileBytes(tuple.profile, "profile"),
    profileBytes(tuple.capability, "capability"),
    orderingBytes(tuple.ordering),
  ]);
  const domain = adapter < FIRST_OWN_ADAPTER ? "nereus-delay-destination-lane-v1" : "sinkwire-destination-lane-v1";
  return { tuple: bytes.toString("hex"), lane_id: digest(domain, bytes).toString("hex") };
}

function adapterNumber(adapter: unknown): number {
  if (typeof adapter === "string" && Object.hasOwn(ADAPTERS, adapter)) return ADAPTERS[adapter as LaneAdapter];
  throw new InvalidLaneTupleError("adapter", `expected one of ${Object.keys(ADAPTERS).join(", ")}`);
}

/** The kind of resource (1, 2 or 16) and its incarnation. */
function resourceBytes(resource: unknown, adapter: number): Buffer {
  const field = "resource";
  if (adapter === ADAPTERS.kafka) {
    const { topic_uuid } = record(resource, field, ["topic_uuid"]);
    return Buffer.concat([Buffer.of(1), hexBytes(topic_uuid, field, 16)]);
  }
  if (adapter === ADAPTERS.pulsar) {
    const { incarnation, created_ms } = record(resource, field, ["incarnation", "created_ms"]);
    return Buffer.concat([Buffer.of(2), hexBytes(incarnation, field, 32), u64(u64Value(created_ms, field, 1n))]);
  }
  const { token, created_ms } = record(resource, field, ["token", "created_ms"]);
  return Buffer.concat([Buffer.of(16), lp32(name(token, field, 256)), u64(u64Value(created_ms, field))]);
}

function topicBytes({ topic, resource }: LaneTuple, adapter: number): Buffer {
  if (adapter !== ADAPTERS.kafka) return lp32(name(topic, "topic", 1024));
  if (topic !== undefined && topic !== null) {
    throw new InvalidLaneTupleError("topic", "none is given for Kafka: the topic is its UUID");
  }
  return lp32(hexBytes((resource as { topic_uuid: string }).topic_uuid, "resource", 16));
}

function profileBytes(profile: unknown, field: "profile" | "capability"): Buffer {
  const { id, version, hash } = record(profile, field, ["id", "version", "hash"]);
  return Buffer.concat([lp32(name(id, field, 256)), u64(u64Value(version, field, 1n)), hexBytes(hash, field, 32)]);
}

/** The kind of ordering (1 or 2) and its group. */
function orderingBytes(ordering: unknown): Buffer {
  const field = "ordering";
  const { bucket = null } = (ordering ?? {}) as { readonly bucket?: unknown };
  if (bucket !== null) {
    record(ordering, field, ["bucket"]);
    return Buffer.concat([Buffer.of(2), u32(u32Value(bucket, field))]);
  }
  const { domain_hash } = record(ordering, field, ["domain_hash"]);
  return Buffer.concat([Buffer.of(1), hexBytes(domain_hash, field, 32)]);
}
