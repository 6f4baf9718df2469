export type { SqsEnvelope } from "./envelope.js";
export { type FromSqsOptions, fromSqs, type ReceivedSqsMessage, type SqsRecord } from "./from.js";
export { SQS_LIMITS } from "./limits.js";
export { type SqsAttribute, type SqsEntry, type ToSqsOptions, toSqs } from "./to.js";
