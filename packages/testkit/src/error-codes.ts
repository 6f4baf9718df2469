import type { InvalidChannelError } from "@sinkwire/asyncapi";
import type { MetadataMismatchError, PublishErrorCode } from "@sinkwire/delivery";
import type { InboxErrorCode } from "@sinkwire/inbox";
import type { ClaimErrorCode, DecodeErrorCode, InvalidHookError, MessageTooLargeError } from "@sinkwire/message";
import type { InvalidLaneTupleError } from "@sinkwire/outbox";
import type { StoreErrorCode } from "@sinkwire/postgres";

/** Every code that the error types of the packages know. */
export type TypedErrorCode =
  | DecodeErrorCode
  | ClaimErrorCode
  | InvalidHookError["code"]
  | MessageTooLargeError["code"]
  | MetadataMismatchError["code"]
  | PublishErrorCode
  | InvalidLaneTupleError["code"]
  | InvalidChannelError["code"]
  | StoreErrorCode
  | InboxErrorCode;

/** The same codes at run time: the compiler keeps this record complete and free of others. */
export const typedErrorCodes: Readonly<Record<TypedErrorCode, true>> = {
  invalid_json: true,
  not_an_object: true,
  unsupported_version: true,
  invalid_field: true,
  ambiguous_body: true,
  missing_body: true,
  invalid_body_base64: true,
  size_mismatch: true,
  integrity: true,
  tenant_mismatch: true,
  invalid_hook: true,
  message_too_large: true,
  claim_required: true,
  invalid_claim_ref: true,
  claim_not_found: true,
  claim_rejected: true,
  claim_integrity: true,
  claim_check_unavailable: true,
  metadata_mismatch: true,
  invalid_lane_tuple: true,
  publish_rejected: true,
  publish_failed: true,
  no_subscribers: true,
  invalid_channel: true,
  schema_too_old: true,
  schema_too_new: true,
  store_in_use: true,
  invalid_key: true,
  lease_lost: true,
  handler_failed: true,
};
