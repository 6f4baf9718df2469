export type {
  PubsubCallOptions,
  PubsubDelivered,
  PubsubOutgoingMessage,
  PubsubPublisherClient,
  PubsubPullRequest,
  PubsubPullResponse,
  PubsubPullStream,
  PubsubSubscriberClient,
} from "./client.js";
export { createPubsubConsumer, type PubsubConsumerOptions } from "./consumer.js";
export type { PubsubDeadLetters } from "./dead-letters.js";
export { type FromPubsubOptions, fromPubsub, type PubsubPush, type ReceivedPubsubMessage } from "./from.js";
export { PUBSUB_LIMITS } from "./limits.js";
export { createPubsubPublisher, type PubsubPublisherOptions } from "./publisher.js";
export { type PubsubMessage, type ToPubsubOptions, toPubsub } from "./to.js";
