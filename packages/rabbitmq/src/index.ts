export type {
  RabbitmqAnyChannel,
  RabbitmqChannel,
  RabbitmqConfirmChannel,
  RabbitmqConnection,
  RabbitmqProperties,
  ReceivedRabbitmqMessage,
  ReturnedRabbitmqMessage,
} from "./client.js";
export { createRabbitmqConsumer, type RabbitmqConsumerOptions } from "./consumer.js";
export { type DeliveredRabbitmqMessage, fromRabbitmq } from "./from.js";
export { RABBITMQ_LIMITS } from "./limits.js";
export { createRabbitmqPublisher, type RabbitmqPublisherOptions } from "./publisher.js";
export { type RabbitmqPublish, type ToRabbitmqOptions, toRabbitmq } from "./to.js";
