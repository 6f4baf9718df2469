import { encodeFor, type Mapped, type MappingOptions } from "@sinkwire/delivery/adapter";
import type { Hook, PublishContext } from "@sinkwire/message";
import { REDIS_LIMITS } from "./limits.js";

/** The field of a stream entry that holds the message. */
export const REDIS_FIELD = "message";

/** A message for Redis, which carries no metadata beside it. */
export interface RedisMessage extends Mapped {
  /** For `PUBLISH`. */
  readonly payload: Buffer;
  /** For `XADD`: node-redis takes it as it is, ioredis takes `REDIS_FIELD, payload`. */
  readonly fields: { readonly [REDIS_FIELD]: Buffer };
}

/**
 * Maps a hook to a Redis payload, for a stream (durable) or a channel.
 *
 * @param hook - the received webhook
 * @param context - what is not the provider's
 * @param options - limits in bytes of the payload (default {@link REDIS_LIMITS}), claim
 * @returns the payload; `size` is its length
 * @throws InvalidHookError, MessageTooLargeError, ClaimError; all permanent
 */
export function toRedis(hook: Hook, context?: PublishContext | null, options?: MappingOptions | null): RedisMessage {
  const { body, mapped } = encodeFor(hook, context, options, {
    maxBytes: REDIS_LIMITS.maxBytes,
    parts: () => ({ overhead: 0 }),
  });
  return { payload: body, fields: { [REDIS_FIELD]: body }, ...mapped };
}
