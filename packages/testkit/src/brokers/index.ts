export { committedOffsets } from "./kafka-groups.js";
export { BROKER_NAMES, MESSAGE_BROKERS } from "./kinds/index.js";
export { missingBroker } from "./missing-broker.js";
export { prepareBroker, startBroker } from "./start-broker.js";
export type { Broker, BrokerName, MessageBroker } from "./types.js";
export { brokerVersions } from "./versions.js";
export { waitUntil } from "./wait-until.js";
