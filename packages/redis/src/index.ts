export { type DeliveredRedisEntry, fromRedis, type RedisPayload } from "./from.js";
export { REDIS_LIMITS } from "./limits.js";
export { REDIS_FIELD, type RedisMessage, toRedis } from "./to.js";
