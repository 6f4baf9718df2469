export type {
  SqsCarriedAttribute,
  SqsClient,
  SqsCommand,
  SqsConsumeCommands,
  SqsPublishCommands,
  SqsReceiveInput,
  SqsSendInput,
} from "./client.js";
export { createSqsConsumer, type SqsConsumerOptions } from "./consumer.js";
export type { SqsAttribute, SqsIds } from "./entry-parts.js";
export type { SqsEnvelope } from "./envelope.js";
export { type FromSqsOptions, fromSqs, type ReceivedSqsMessage, type SqsRecord } from "./from.js";
export { SQS_LIMITS } from "./limits.js";
export { createSqsPublisher, type SqsPublisherOptions } from "./publisher.js";
export { type SqsEntry, type ToSqsOptions, toSqs } from "./to.js";
