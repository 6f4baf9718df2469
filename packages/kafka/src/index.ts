export type {
  KafkaBaseClient,
  KafkaBatch,
  KafkaClient,
  KafkaClientOptions,
  KafkaConsumerClient,
  KafkaFetchedPartition,
  KafkaFetchPartition,
  KafkaFetchResponse,
  KafkaMetadata,
  KafkaOutgoing,
  KafkaProducerClient,
  KafkaStoredRecord,
  KafkaTopic,
} from "./client.js";
export { createKafkaConsumer, type KafkaConsumerOptions } from "./consumer.js";
export { type ConsumedKafkaRecord, type FromKafkaOptions, fromKafka } from "./from.js";
export { KAFKA_LIMITS } from "./limits.js";
export { createKafkaPublisher, type KafkaPublisherOptions } from "./publisher.js";
export { type KafkaRecord, type ToKafkaOptions, toKafka } from "./to.js";
