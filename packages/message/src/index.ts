export { type ClaimRef, formatClaimRef, parseClaimRef } from "./claim-ref.js";
export {
  type DecodeFailure,
  type DecodeOptions,
  type DecodeResult,
  decodeMessage,
  tryDecodeMessage,
} from "./decode.js";
export { type EncodeOptions, encodeMessage, planMessage } from "./encode.js";
export {
  ClaimError,
  type ClaimErrorCode,
  type DecodeErrorCode,
  type ErrorDetails,
  InvalidHookError,
  InvalidMessageError,
  isSinkwireError,
  MessageTooLargeError,
  SinkwireError,
} from "./errors.js";
export { type ForwardedHeaders, forwardHeaders } from "./forward-headers.js";
export { deliveryId, idempotencyKey, type KeyFields, type KeyOptions } from "./keys.js";
export { attributesSet, headersSet, type MetadataContext, type MetadataHook } from "./metadata-sets.js";
export { type Metadata, type MetadataProblem, readMetadata } from "./read-metadata.js";
export { serializeMessage } from "./serialize.js";
export type {
  Claim,
  DroppedHeaders,
  EncodedMessage,
  ForwardOptions,
  HeaderPair,
  Hook,
  Message,
  MessageBody,
  MessageHead,
  PublishContext,
  SizeLimits,
  Verification,
} from "./types.js";
export { MAX_SUPPORTED_VERSION, MESSAGE_VERSION, MIN_SUPPORTED_VERSION } from "./version.js";
