export type { Consumer, DeliveriesOptions } from "./consumer.js";
export {
  DEAD_LETTER_NAMES,
  type DeadDelivery,
  type DeadLetter,
  type DeadLetterOptions,
  deadLetterOf,
} from "./dead-letter.js";
export type {
  Delivery,
  DeliveryControls,
  DeliveryHandler,
  DeliveryOrigin,
  InvalidDelivery,
  MessageDelivery,
  MetadataPair,
  RejectOptions,
  RetryOptions,
  TombstoneDelivery,
} from "./delivery.js";
export {
  type IdentityField,
  MetadataMismatchError,
  PublishError,
  type PublishErrorCode,
  type PublishErrorDetails,
} from "./errors.js";
export type { HandleOptions } from "./handle-delivery.js";
export type { Publisher, PublishOptions, PublishOutcome, Receipt } from "./publisher.js";
export { type DeliveryRead, readDelivery } from "./read-delivery.js";
export type { ReadOptions } from "./read-options.js";
export { retryBackoff } from "./retry-backoff.js";
export { type ServeOptions, serve } from "./serve.js";
