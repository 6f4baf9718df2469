import { canonicalHead, claimTail, inlineTail } from "./canonical.js";
import { type CheckedLimits, checkContext, checkHook, checkLimits } from "./check.js";
import { type ClaimRef, tryParseClaimRef } from "./claim-ref.js";
import { ClaimError, MessageTooLargeError } from "./errors.js";
import { isSha256 } from "./fields.js";
import { forwardChecked } from "./forward-headers.js";
import { computedKey } from "./keys.js";
import { sha256Hex, textToUtf8, toBase64, utf8Length } from "./runtime/node.js";
import type { Claim, DroppedHeaders, EncodedMessage, Hook, MessageHead, PublishContext, SizeLimits } from "./types.js";
import { MESSAGE_VERSION } from "./version.js";

/** A digest and a claim id of the right length, to count with before there is one. */
const ANY_SHA256: string = "0".repeat(64);
const ANY_CLAIM_ID: string = "0".repeat(26);

/** Limits, and the claim if the body was checked in. */
export interface EncodeOptions extends SizeLimits {
  /** Used only when the body does not ride inline. */
  readonly claim?: Claim | null | undefined;
}

/**
 * Encodes a hook as the canonical bytes of a message: inline when the body is at most `inlineMaxBytes` and the message
 * at most `maxBytes`, else with the claim. Synchronous and pure; `@sinkwire/claim-check` checks bodies in.
 *
 * @param hook - the received webhook
 * @param context - what is not the provider's: where it is published, replay id, ordering key, forwarding
 * @param options - limits in bytes, and the claim
 * @returns the bytes, which form the body took, the size that was counted and the headers that were dropped
 * @throws {@link InvalidHookError} for input that cannot be used; {@link MessageTooLargeError}; {@link ClaimError}
 *   `claim_required` when only a claim would fit and none is given, `invalid_claim_ref`, `claim_integrity`,
 *   `tenant_mismatch`. All are permanent.
 */
export function encodeMessage(
  hook: Hook,
  context?: PublishContext | null,
  options?: EncodeOptions | null,
): EncodedMessage {
  const draft = draftMessage(hook, context, options);
  const { limits, body, dropped } = draft;
  if (isHopeless(draft)) throw new MessageTooLargeError(body.length, limits.maxBytes, "body");
  const sha256 = sha256Hex(body);
  const inlineSize = sizeInline(draft);
  if (body.length <= limits.inlineMaxBytes && inlineSize <= limits.maxBytes) {
    const bytes = textToUtf8(draft.text + inlineTail(sha256, toBase64(body)));
    return { bytes, head: draft.head, form: "inline", size: inlineSize, dropped };
  }
  const claim = options?.claim ?? null;
  if (claim === null) throw new ClaimError("claim_required", claimRequired(body.length, inlineSize, limits));
  const ref = checkClaim(claim, sha256, draft.tenant);
  const bytes = textToUtf8(draft.text + claimTail(ref, sha256));
  const size = bytes.length + limits.overhead;
  if (size > limits.maxBytes) throw new MessageTooLargeError(size, limits.maxBytes);
  return { bytes, head: draft.head, form: "claim", size, dropped };
}

/**
 * Tells which form {@link encodeMessage} would give the body, without digest, base64 or message. A claim is counted as a
 * version 1 reference of the hook's tenant.
 *
 * @param hook - the received webhook
 * @param context - as for {@link encodeMessage}
 * @param limits - limits in bytes
 * @returns `inline`, `claim` (check the body in first) or `too_large`
 * @throws {@link InvalidHookError} for input that cannot be used
 */
export function planMessage(
  hook: Hook,
  context?: PublishContext | null,
  limits?: SizeLimits | null,
): "inline" | "claim" | "too_large" {
  const draft = draftMessage(hook, context, limits);
  const { inlineMaxBytes, maxBytes, overhead } = draft.limits;
  if (isHopeless(draft)) return "too_large";
  if (draft.body.length <= inlineMaxBytes && sizeInline(draft) <= maxBytes) return "inline";
  const ref = `urn:ankusa:claim:v1:${draft.tenant ?? ""}:${ANY_CLAIM_ID}`;
  return utf8Length(draft.text + claimTail(ref, ANY_SHA256)) + overhead <= maxBytes ? "claim" : "too_large";
}

/** A checked hook as a message without its body. */
interface Draft {
  readonly head: MessageHead;
  /** The canonical text up to the body. */
  readonly text: string;
  readonly body: Uint8Array;
  readonly tenant: string | null;
  readonly limits: CheckedLimits;
  readonly dropped: DroppedHeaders;
}

function draftMessage(
  hook: Hook,
  context: PublishContext | null | undefined,
  limits: SizeLimits | null | undefined,
): Draft {
  const checked = checkHook(hook);
  const { instance, region, replay_id, ordering_key, forwarding } = checkContext(context);
  const checkedLimits = checkLimits(limits);
  const { id, source_id, tenant_id, received_at, content_type, body, dedupe_key } = checked;
  const { verification, traceparent, tracestate } = checked;
  const { headers, dropped } = forwardChecked(checked.headers, forwarding);
  const head: MessageHead = {
    v: MESSAGE_VERSION,
    id,
    source_id,
    tenant_id,
    received_at,
    content_type,
    size: body.length,
    dedupe_key,
    replay_id,
    idempotency_key: computedKey(checked),
    verification,
    traceparent,
    tracestate,
    instance,
    region,
    ordering_key: ordering_key === "" ? null : ordering_key,
  };
  const text = canonicalHead(head, headers);
  return { head, text, body, tenant: tenant_id, limits: checkedLimits, dropped };
}

/** A body that is over the limit by itself while it should ride inline: no retry and no claim is asked for. */
function isHopeless({ body, limits }: Draft): boolean {
  return body.length > limits.maxBytes && limits.inlineMaxBytes >= body.length;
}

function sizeInline({ text, body, limits }: Draft): number {
  const base64Length = Math.ceil(body.length / 3) * 4;
  return utf8Length(text) + inlineTail(ANY_SHA256, "").length + base64Length + limits.overhead;
}

function checkClaim(claim: Claim, sha256: string, tenant: string | null): string {
  const { ref, sha256: claimed } = claim;
  const parsed: ClaimRef | null = tryParseClaimRef(ref);
  if (parsed === null || !isSha256(claimed)) {
    throw new ClaimError(
      "invalid_claim_ref",
      "the claim needs a ref of version 1 or 2 and a sha256 of 64 lowercase hex digits",
    );
  }
  if (claimed !== sha256) throw new ClaimError("claim_integrity", "the claim's sha256 is not the body's digest");
  if (tenant !== null && tenant !== parsed.tenant_id) {
    throw new ClaimError("tenant_mismatch", "the claim belongs to another tenant than the hook");
  }
  return ref;
}

function claimRequired(bodySize: number, inlineSize: number, { inlineMaxBytes, maxBytes }: CheckedLimits): string {
  const why =
    bodySize > inlineMaxBytes
      ? `the body's ${bodySize} bytes are over inlineMaxBytes (${inlineMaxBytes})`
      : `the inline message's ${inlineSize} bytes are over maxBytes (${maxBytes})`;
  return `${why}: check the body in and pass the claim`;
}
