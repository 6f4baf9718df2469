import { types } from "node:util";
import type { DeliveryRead, ReadOptions } from "@sinkwire/delivery";
import { member, missing, type RecordShape, readBody } from "@sinkwire/delivery/adapter";
import { REDIS_FIELD } from "./to.js";

/** A published payload. */
export type RedisPayload = Uint8Array | string;

/**
 * What Redis delivered: a payload of a channel; or a stream entry as ioredis gives it (`[id, [field, value, …]]`) or as
 * node-redis does (`{ id, message }`). An entry that was deleted while it was pending has null for its fields, or is null
 * itself (XCLAIM and XAUTOCLAIM before Redis 7).
 */
export type DeliveredRedisEntry =
  | RedisPayload
  | readonly [id: RedisPayload, fields: readonly RedisPayload[] | null]
  | { readonly id: RedisPayload; readonly message: unknown }
  | null;

/**
 * Reads a stream entry or a published payload. Ask ioredis for Buffers (`xreadgroupBuffer`): else it alters bytes that are
 * not UTF-8 before they can be refused.
 *
 * @param entry - as the client gives it
 * @param options - those of `readDelivery`; null is none
 * @returns a message, a tombstone (a deleted entry) or why the entry is invalid, as one without the field `message` is;
 *   whatever was delivered, it does not throw
 * @throws InvalidHookError (`max_bytes`, `metadata`, `options`) for an option that cannot be used, before the entry is
 *   looked at
 */
export function fromRedis(entry: DeliveredRedisEntry, options?: ReadOptions | null): DeliveryRead {
  return readBody(entry, SHAPE, options);
}

const SHAPE: RecordShape = {
  pairs: () => null,
  body: (entry) => {
    if (entry === null || typeof entry === "string" || types.isUint8Array(entry)) return entry;
    const fields = Array.isArray(entry) && entry.length === 2 ? (entry[1] ?? null) : member(entry, "message");
    return fields === null ? null : fieldOf(fields);
  },
};

/** The last value of the field, as a client that gives an object keeps it. */
function fieldOf(fields: unknown): unknown {
  if (fields instanceof Map) return lastOf([...fields].flat(1));
  return Array.isArray(fields) ? lastOf(fields) : member(fields, REDIS_FIELD);
}

function lastOf(fields: readonly unknown[]): unknown {
  for (let i = fields.length - (fields.length % 2) - 2; i >= 0; i -= 2) {
    if (String(fields[i]) === REDIS_FIELD) return fields[i + 1];
  }
  throw missing(`field "${REDIS_FIELD}"`);
}
