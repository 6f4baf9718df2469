import { createGateway, createRedeemClient, type RedeemClient } from "@sinkwire/claim-check";
import { fileStore } from "@sinkwire/claim-check/node";
import { UsageError } from "./exit.js";

/** Where bodies that were checked in are found, as flags say it. */
export interface ClaimPlace {
  readonly gateway?: string | undefined;
  readonly store?: string | undefined;
}

/** Throws a {@link UsageError} for two places. */
export function checkClaimPlace({ gateway, store }: ClaimPlace): void {
  if (gateway !== undefined && store !== undefined) {
    throw new UsageError("a claim is found behind --gateway or in --store, not in both");
  }
}

/**
 * A client that redeems where the flags say.
 *
 * @throws {@link UsageError} when they do not say
 */
export function createRedeemer({ gateway, store }: ClaimPlace): RedeemClient {
  if (gateway !== undefined) return createRedeemClient({ baseUrl: gateway });
  if (store === undefined)
    throw new UsageError("the body is a claim: say where it is with --gateway URL or --store FOLDER");
  const serve = createGateway({ store: fileStore(store) });
  return createRedeemClient({ baseUrl: "http://store.invalid", fetch: (url, init) => serve(new Request(url, init)) });
}
