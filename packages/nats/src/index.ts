export { type DeliveredNatsMessage, fromNats, type NatsHeaders } from "./from.js";
export { NATS_LIMITS } from "./limits.js";
export { type NatsMessage, type ToNatsOptions, toNats } from "./to.js";
