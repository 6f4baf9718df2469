export { type FromPubsubOptions, fromPubsub, type PubsubPush, type ReceivedPubsubMessage } from "./from.js";
export { PUBSUB_LIMITS } from "./limits.js";
export { type PubsubMessage, type ToPubsubOptions, toPubsub } from "./to.js";
