export { type DeliveredRabbitmqMessage, fromRabbitmq } from "./from.js";
export { RABBITMQ_LIMITS } from "./limits.js";
export { type RabbitmqPublish, type ToRabbitmqOptions, toRabbitmq } from "./to.js";
