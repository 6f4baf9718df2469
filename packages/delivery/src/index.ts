export { MetadataMismatchError } from "./errors.js";
export { type DeliveryRead, type ReadOptions, readDelivery } from "./read-delivery.js";
