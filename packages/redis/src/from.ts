import type { DeliveryRead, ReadOptions } from "@sinkwire/delivery";
import { property, readBody } from "@sinkwire/delivery/adapter";
import { REDIS_FIELD } from "./to.js";

/** A published payload. */
export type RedisPayload = Uint8Array | string;

/**
 * What Redis delivered: a payload of a channel; or a stream entry as ioredis gives it (`[id, [field, value, …]]`) or as
 * node-redis does (`{ id, message }`). An entry that was deleted while it was pending has null for its fields.
 */
export type DeliveredRedisEntry =
  | RedisPayload
  | readonly [id: RedisPayload, fields: readonly RedisPayload[] | null]
  | { readonly id: RedisPayload; readonly message: unknown };

/**
 * Reads a stream entry or a published payload. Ask ioredis for Buffers (`xreadgroupBuffer`): else it alters bytes that are
 * not UTF-8 before they can be refused.
 *
 * @param entry - as the client gives it
 * @param options - those of `readDelivery`
 * @returns a message, a tombstone (no field `message`) or why the bytes are invalid; whatever was delivered, it does not
 *   throw
 * @throws InvalidHookError for an option that cannot be used
 */
export function fromRedis(entry: DeliveredRedisEntry, options?: ReadOptions): DeliveryRead {
  return readBody(null, payloadOf(entry), options);
}

function payloadOf(entry: unknown): unknown {
  if (Array.isArray(entry)) return fieldOf(entry[1]);
  const fields = property(entry, "message");
  return fields === undefined ? entry : fieldOf(fields);
}

/** The last value of the field, as a client that gives an object keeps it. */
function fieldOf(fields: unknown): unknown {
  if (fields instanceof Map) return lastOf([...fields].flat(1));
  return Array.isArray(fields) ? lastOf(fields) : property(fields, REDIS_FIELD);
}

function lastOf(fields: readonly unknown[]): unknown {
  let last: unknown = null;
  for (let i = 0; i + 1 < fields.length; i += 2) if (String(fields[i]) === REDIS_FIELD) last = fields[i + 1];
  return last;
}
