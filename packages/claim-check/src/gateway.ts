import { formatClaimRef, InvalidHookError, isSinkwireError } from "@sinkwire/message";
import { byteRange } from "./byte-range.js";
import { claimIdParts } from "./claim-id.js";
import { type ClaimUnavailableError, fromStore } from "./errors.js";
import { findClaim, type PackSource, readExtent } from "./read-claim.js";
import type { ClaimStore } from "./store.js";
import { storeOption } from "./store-arguments.js";

/** A fetch-style handler. It never rejects. */
export type Gateway = (request: Request) => Promise<Response>;

/** Options of {@link createGateway}. */
export interface GatewayOptions {
  readonly store: ClaimStore;
  /**
   * Asked before the store is, for every claim of well-formed tenant and id. Only `true` lets the request through; any
   * other answer is 403 `forbidden`, a throw is 503 `store_unavailable`. Default: everybody may read.
   */
  readonly authorize?: ((request: Request, tenant: string) => boolean | Promise<boolean>) | null | undefined;
}

const CLAIM_PATH = /^\/v1\/claims\/([^/]*)\/([^/]*)$/;
/** Stands in for the part that is not being checked. */
const ANY_CLAIM_ID: string = "0".repeat(26);
const ANY_TENANT = "t";

/**
 * Makes the HTTP gateway that claims are redeemed at: `GET` and `HEAD` of `/v1/claims/{tenant}/{claim_id}`, with one
 * `range`, and `/health`, which asks the store's `check`. It trusts no path, verifies no signature (a signed URL is
 * refused) and never deletes.
 *
 * @throws `InvalidHookError` (`store`, `authorize`)
 */
export function createGateway(options: GatewayOptions): Gateway {
  const store = storeOption(options?.store);
  const authorize = options.authorize ?? null;
  if (authorize !== null && typeof authorize !== "function") throw new InvalidHookError("authorize", "not a function");
  return async (request) => {
    const response = await answer(request);
    return request.method === "HEAD" ? new Response(null, response) : response;
  };

  async function answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const [, tenant, claimId] = CLAIM_PATH.exec(pathname) ?? [];
    const isClaim = tenant !== undefined && claimId !== undefined;
    if (!isClaim && pathname !== "/health") return failure(404, "not_found");
    if (request.method !== "GET" && request.method !== "HEAD") {
      return failure(405, "method_not_allowed", { allow: "GET, HEAD" });
    }
    if (!isClaim) return health(request.signal);
    if (!isValid(tenant, ANY_CLAIM_ID)) return failure(400, "invalid_tenant");
    if (!isValid(ANY_TENANT, claimId)) return failure(400, "invalid_id");
    if (searchParams.has("exp") || searchParams.has("sig")) return failure(400, "bad_signature");
    try {
      if (authorize !== null && (await authorize(request, tenant)) !== true) return failure(403, "forbidden");
      return await serveClaim(request, tenant, claimId);
    } catch (error) {
      return storeFailure(error);
    }
  }

  async function health(signal: AbortSignal): Promise<Response> {
    try {
      await fromStore(signal, async () => store.check?.({ signal }));
      return Response.json({ status: "ok" }, { headers: { "cache-control": "no-store" } });
    } catch (error) {
      return unavailable(error);
    }
  }

  async function serveClaim(request: Request, tenant: string, claimId: string): Promise<Response> {
    const { object_key, position } = claimIdParts(claimId, tenant);
    const { signal } = request;
    const pack: PackSource = (offset, length) =>
      fromStore(signal, () => store.read(object_key, offset, length, { signal }));
    const extent = await findClaim(pack, position);
    const headers = {
      "content-type": "application/octet-stream",
      "cache-control": "private, max-age=31536000, immutable",
      "accept-ranges": "bytes",
      "x-content-type-options": "nosniff",
    };
    if (request.method === "HEAD") {
      return new Response(null, { headers: { ...headers, "content-length": String(extent.length) } });
    }
    // No validator is ever sent, so a conditional range can only be answered with everything.
    const header = request.headers.has("if-range") ? null : request.headers.get("range");
    const range = byteRange(header, extent.length);
    if (range === "unsatisfiable") {
      return failure(416, "range_not_satisfiable", { "content-range": `bytes */${extent.length}` });
    }
    const { start, length } = range === "all" ? { start: 0, length: extent.length } : range;
    const body = await readExtent(pack, { offset: extent.offset + start, length });
    const sized = { ...headers, "content-length": String(length) };
    if (range === "all") return new Response(body, { headers: sized });
    const contentRange = `bytes ${start}-${start + length - 1}/${extent.length}`;
    return new Response(body, { status: 206, headers: { ...sized, "content-range": contentRange } });
  }
}

/** A broken pack is 503 too: its body is lost only when an operator says so, and a 404 would be final for a consumer. */
function storeFailure(error: unknown): Response {
  if (isSinkwireError(error, "claim_not_found")) return failure(404, "not_found");
  return unavailable(error);
}

function unavailable(error: unknown): Response {
  if (isSinkwireError(error, "claim_check_unavailable") && (error as ClaimUnavailableError).reason === "forbidden") {
    return failure(503, "store_forbidden", { "retry-after": "60" });
  }
  return failure(503, "store_unavailable", { "retry-after": "1" });
}

function failure(status: number, code: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error: code }, { status, headers: { "cache-control": "no-store", ...headers } });
}

function isValid(tenant_id: string, claim_id: string): boolean {
  try {
    formatClaimRef({ version: 1, tenant_id, claim_id, exp: null, sig: null });
    return true;
  } catch {
    return false;
  }
}
