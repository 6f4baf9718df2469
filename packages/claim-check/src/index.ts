export {
  type CheckInItem,
  type ClaimCheck,
  type ClaimCheckOptions,
  type ClaimEncodeOptions,
  createClaimCheck,
  type EncodedWithClaim,
} from "./claim-check.js";
export { type ClaimIdParts, claimIdParts } from "./claim-id.js";
export { ClaimRejectedError, ClaimUnavailableError } from "./errors.js";
export { createGateway, type Gateway, type GatewayOptions } from "./gateway.js";
export { memoryStore } from "./memory-store.js";
export { type PackSource, readClaim } from "./read-claim.js";
export { createRedeemClient, type RedeemClient, type RedeemClientOptions, type RedeemRequest } from "./redeem.js";
export type { HeaderValues, RedeemHeaders } from "./request-headers.js";
export type { ClaimStore, WaitOptions } from "./store.js";
export { type PackClaim, writePack } from "./write-pack.js";
