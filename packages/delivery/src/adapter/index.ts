export { checkReadOptions } from "../read-options.js";
export { choiceOption } from "./choice-option.js";
export { type BrokerVerbs, createDelivery } from "./create-delivery.js";
export { createDeliveryQueue, type DeliveryQueue, type DeliveryQueueOptions } from "./delivery-queue.js";
export { type EncodedFor, encodeFor, type Mapped, type MappingOptions, type Parts } from "./encode-for.js";
export { createHolds, type Holds } from "./holds.js";
export {
  createInFlight,
  type InFlight,
  type InFlightLimits,
  MAX_IN_FLIGHT_BYTES,
  MAX_IN_FLIGHT_MESSAGES,
} from "./in-flight.js";
export { createIterations, type Iteration, type Iterations } from "./iterations.js";
export { jsonMembers } from "./json-members.js";
export { keepLease, type LeaseOptions } from "./keep-lease.js";
export { addressOption, integerOption, MAX_ADDRESS_BYTES, MAX_TIMER_MS, textOption } from "./options.js";
export { PUBLISH_TIMEOUT_MS, type PublishBounds, publishWithin, type WriteMessage } from "./publish-within.js";
export { type Publishable, publishable } from "./publishable.js";
export { type CheckedPublisherLimits, type PublisherLimits, publisherLimits } from "./publisher-limits.js";
export {
  base64Bytes,
  type DeliveredParts,
  member,
  missing,
  property,
  type RecordShape,
  readBody,
} from "./read-body.js";
export { orderingKey, pairsLength, sha256Form, sourceKey, utf8Length } from "./text.js";
export { createWatermark, type OffsetTicket, type Watermark } from "./watermark.js";
export { STOP_LIMIT_MS, within } from "./within.js";
