export type { Delivery, DeliveryControls, DeliveryHandler, RetryOptions } from "./delivery.js";
export {
  type IdentityField,
  MetadataMismatchError,
  PublishError,
  type PublishErrorCode,
  type PublishErrorDetails,
} from "./errors.js";
export type { Publisher, PublishOutcome, Receipt } from "./publisher.js";
export { type DeliveryRead, type ReadOptions, readDelivery } from "./read-delivery.js";
