import type { HeaderPair } from "@sinkwire/message";

/** A webhook request as it reaches an endpoint. */
export interface Webhook {
  readonly source: string;
  readonly tenant: string | null;
  /** The provider's id of the event, the same on each of its retries. */
  readonly event: string;
  readonly headers: readonly HeaderPair[];
  readonly body: Uint8Array;
  readonly contentType: string;
}

/** Tenants that hooks are spread over; a hook without one cannot be checked in, so large bodies get the others. */
const TENANTS: readonly (string | null)[] = ["acme", "globex", "initech", null];
/** Largest body that may come without a tenant, in bytes: it rides inline under every default. */
const SMALL_BYTES = 16_384;

/** The tenant of the nth hook. */
export function tenantOf(n: number, bodyBytes: number): string | null {
  return TENANTS[n % (bodyBytes > SMALL_BYTES ? TENANTS.length - 1 : TENANTS.length)] ?? null;
}
