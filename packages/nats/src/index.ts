export type {
  JetStreamBatch,
  JetStreamConsumeClient,
  JetStreamMessage,
  JetStreamPublishClient,
  JetStreamPullConsumer,
  NatsConnection,
  NatsHeaderWriter,
} from "./client.js";
export { createNatsConsumer, type NatsConsumerOptions } from "./consumer.js";
export { type DeliveredNatsMessage, fromNats, type NatsHeaders } from "./from.js";
export { NATS_LIMITS } from "./limits.js";
export { createNatsPublisher, type NatsPublisherOptions } from "./publisher.js";
export { type NatsMessage, type ToNatsOptions, toNats } from "./to.js";
