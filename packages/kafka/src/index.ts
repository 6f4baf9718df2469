export { type ConsumedKafkaRecord, type FromKafkaOptions, fromKafka } from "./from.js";
export { KAFKA_LIMITS } from "./limits.js";
export { type KafkaRecord, type ToKafkaOptions, toKafka } from "./to.js";
