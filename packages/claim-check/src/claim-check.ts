import {
  type Claim,
  type EncodedMessage,
  type EncodeOptions,
  encodeMessage,
  formatClaimRef,
  type Hook,
  InvalidHookError,
  MessageTooLargeError,
  type PublishContext,
  planMessage,
} from "@sinkwire/message";
import { claimIdParts, newPackId } from "./claim-id.js";
import { fromStore } from "./errors.js";
import { integerOption } from "./options.js";
import type { ClaimStore, WaitOptions } from "./store.js";
import { storeOption } from "./store-arguments.js";
import { buildPack, checkPackClaims, type PackClaim } from "./write-pack.js";

const DEFAULT_MAX_BYTES = 8_000_000;

/** Options of {@link createClaimCheck}. */
export interface ClaimCheckOptions {
  readonly store: ClaimStore;
  /** Largest body that is checked in, in bytes. Default 8,000,000. */
  readonly maxBytes?: number | null | undefined;
}

/** A body to check in. */
export interface CheckInItem {
  /** The hook's id, not empty. */
  readonly id: string;
  readonly body: Uint8Array;
  readonly content_type?: string | null | undefined;
  /** Unix milliseconds. Default: the time of the check-in. */
  readonly received_at?: number | null | undefined;
}

/** Options of {@link ClaimCheck.encode}: those of `encodeMessage`, and a signal. */
export interface ClaimEncodeOptions extends EncodeOptions, WaitOptions {}

/** An encoded message and the claim that it carries. */
export interface EncodedWithClaim extends EncodedMessage {
  /** Keep it and hand it in again on a retry, so that the body is stored once; null in the inline form. */
  readonly claim: Claim | null;
}

/** Checks large bodies in. */
export interface ClaimCheck {
  /**
   * Stores a body as a pack of one claim, under a fresh id that says nothing about the hook.
   *
   * @param tenant - `[A-Za-z0-9_-]{1,64}`
   * @returns the claim, once the store has it
   * @throws `InvalidHookError` (`tenant_id` or the item's field) and `MessageTooLargeError` before anything is stored;
   *   `ClaimUnavailableError` when the store fails
   */
  checkIn(tenant: string, item: CheckInItem, options?: WaitOptions): Promise<Claim>;

  /**
   * Encodes a hook, checking its body in when it does not ride inline and no claim is handed in. The message is built
   * before the store is asked, so a message that cannot be had leaves nothing behind.
   *
   * @throws what `encodeMessage` and {@link ClaimCheck.checkIn} throw, in that order of checks
   */
  encode(hook: Hook, context?: PublishContext | null, options?: ClaimEncodeOptions | null): Promise<EncodedWithClaim>;
}

/** A claim whose pack is not stored yet. */
interface PreparedClaim {
  readonly claim: Claim;
  readonly key: string;
  readonly pack: Uint8Array;
}

/**
 * Makes a claim check over a store.
 *
 * @throws `InvalidHookError` (`store`, `max_bytes`)
 */
export function createClaimCheck(options: ClaimCheckOptions): ClaimCheck {
  const store = storeOption(options?.store);
  const maxBytes = integerOption("max_bytes", options.maxBytes, DEFAULT_MAX_BYTES, 0);

  async function keep({ key, pack }: PreparedClaim, signal: AbortSignal | undefined): Promise<void> {
    await fromStore(signal, () => store.put(key, pack, { signal }));
  }

  return {
    async checkIn(tenant, item, { signal } = {}) {
      const prepared = await prepareClaim(tenant, item, maxBytes);
      await keep(prepared, signal);
      return prepared.claim;
    },

    async encode(hook, context, options) {
      const { signal, ...limits } = options ?? {};
      const given = limits.claim ?? null;
      if (given !== null || planMessage(hook, context, limits) === "inline") {
        const encoded = encodeMessage(hook, context, limits);
        return { ...encoded, claim: encoded.form === "claim" ? given : null };
      }
      const prepared = await prepareClaim(hook.tenant_id, hook, maxBytes);
      const encoded = encodeMessage(hook, context, { ...limits, claim: prepared.claim });
      await keep(prepared, signal);
      return { ...encoded, claim: prepared.claim };
    },
  };
}

async function prepareClaim(tenant: unknown, item: CheckInItem, maxBytes: number): Promise<PreparedClaim> {
  const claim_id = newPackId();
  const ref = refOf(tenant, claim_id);
  const { timestamp_ms, object_key: key } = claimIdParts(claim_id, tenant as string);
  const { id, content_type, body, received_at } = (item ?? {}) as CheckInItem;
  const claims: PackClaim[] = [{ claim_id, id, content_type, received_at: received_at ?? timestamp_ms, body }];
  checkPackClaims(claims);
  if (body.length > maxBytes) throw new MessageTooLargeError(body.length, maxBytes, "body");
  const { bytes: pack, digests } = await buildPack(claims);
  return { claim: { ref, sha256: digests[0] as string }, key, pack };
}

function refOf(tenant: unknown, claim_id: string): string {
  try {
    return formatClaimRef({ version: 1, tenant_id: tenant as string, claim_id, exp: null, sig: null });
  } catch (cause) {
    throw new InvalidHookError("tenant_id", "a claim needs a tenant of 1 to 64 of A-Z a-z 0-9 _ -", { cause });
  }
}
