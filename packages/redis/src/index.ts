export type { IoredisClient, NodeRedisClient, RedisClient } from "./client.js";
export { createRedisConsumer, type RedisConsumerOptions } from "./consumer.js";
export { type DeliveredRedisEntry, fromRedis, type RedisPayload } from "./from.js";
export { REDIS_LIMITS } from "./limits.js";
export {
  createRedisChannelPublisher,
  createRedisPublisher,
  type RedisChannelPublisherOptions,
  type RedisStreamPublisherOptions,
} from "./publisher.js";
export { REDIS_FIELD, type RedisMessage, toRedis } from "./to.js";
