import {
  ClaimError,
  InvalidHookError,
  isSinkwireError,
  type Message,
  MessageTooLargeError,
  parseClaimRef,
} from "@sinkwire/message";
import { baseAddress } from "./base-address.js";
import { MAX_TIMEOUT_MS, withDeadline } from "./deadline.js";
import { ClaimRejectedError, ClaimUnavailableError } from "./errors.js";
import { integerOption } from "./options.js";
import { readBody } from "./read-body.js";
import { type RedeemHeaders, requestHeaders } from "./request-headers.js";
import { retryAfterMs } from "./retry-after.js";
import { sha256Hex } from "./sha256.js";
import type { WaitOptions } from "./store.js";

const DEFAULT_TIMEOUT_MS = 10_000;
/** 64 MiB, as for the input of a decode. */
const DEFAULT_MAX_BYTES = 67_108_864;
const MAX_ERROR_BODY_BYTES = 65_536;
const MAX_ERROR_BODY_LEVELS = 64;
const SHA256 = /^[0-9a-f]{64}$/;
/** A system's or HTTP client's error code: all that is told of a failed connection, since a text could quote the URL. */
const SYSTEM_CODE = /^[A-Z][A-Z0-9_]{1,40}$/;

/** Options of {@link createRedeemClient}. */
export interface RedeemClientOptions {
  /**
   * The gateway's address, `http:` or `https:`, with a path or without; no credentials, query or fragment, and none of
   * the ports that the platform's `fetch` refuses.
   */
  readonly baseUrl: string | URL;
  /** Sent with every request; none of those that belong to the connection, such as `connection`. Default none. */
  readonly headers?: RedeemHeaders | null | undefined;
  /** From the call to the last byte, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number | null | undefined;
  /** Largest body where a claim comes without its size, in bytes. Default 67,108,864. */
  readonly maxBytes?: number | null | undefined;
  /** Default: the platform's. It must honour `redirect: "manual"`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | null | undefined;
}

/** What to redeem. */
export interface RedeemRequest {
  /** A claim reference, version 1 or 2. */
  readonly ref: string;
  /** The body's digest, 64 lowercase hex digits. */
  readonly sha256: string;
  /** The body's size in bytes, where it is known: it is then the cap, whatever `maxBytes` says. */
  readonly size?: number | null | undefined;
}

/** Fetches bodies that were checked in. */
export interface RedeemClient {
  /**
   * Fetches a body and gives it back only when its digest is right.
   *
   * @throws `ClaimError`: `invalid_claim_ref` before any request, `claim_not_found`, `claim_integrity`;
   *   {@link ClaimRejectedError}; {@link ClaimUnavailableError}; `MessageTooLargeError` for more than `maxBytes` where
   *   no size was given; `InvalidHookError` (`size`, `headers`); the signal's reason on abort; what the `headers`
   *   function throws
   */
  redeem(claim: RedeemRequest, options?: WaitOptions): Promise<Uint8Array>;

  /**
   * The body of a decoded message, whichever form it has: inline bytes as they are, a claim redeemed.
   *
   * @throws as {@link RedeemClient.redeem} for a claim; never for an inline body
   */
  body(message: Pick<Message, "body" | "sha256" | "size">, options?: WaitOptions): Promise<Uint8Array>;
}

/**
 * Makes a client of a claim gateway.
 *
 * @throws `InvalidHookError` (`base_url`, `headers`, `timeout_ms`, `max_bytes`, `fetch`)
 */
export function createRedeemClient(options: RedeemClientOptions): RedeemClient {
  const { baseUrl, fetch: own = null } = options ?? {};
  if (own !== null && typeof own !== "function") throw new InvalidHookError("fetch", "not a function");
  const base = baseAddress(baseUrl, own !== null);
  const timeoutMs = integerOption("timeout_ms", options.timeoutMs, DEFAULT_TIMEOUT_MS, 1, MAX_TIMEOUT_MS);
  const maxBytes = integerOption("max_bytes", options.maxBytes, DEFAULT_MAX_BYTES, 0);
  const given = options.headers ?? {};
  if (typeof given !== "function") requestHeaders(given);
  const send = own ?? ((url: string, init: RequestInit) => fetch(url, init));

  async function redeem(claim: RedeemRequest, { signal: caller }: WaitOptions = {}): Promise<Uint8Array> {
    const { path } = parseClaimRef(claim.ref);
    if (typeof claim.sha256 !== "string" || !SHA256.test(claim.sha256)) {
      throw new ClaimError("invalid_claim_ref", "the claim's sha256 is not 64 lowercase hex digits");
    }
    const size = claim.size === undefined || claim.size === null ? null : integerOption("size", claim.size, 0, 0);
    return withDeadline(timeoutMs, caller, async (signal) => {
      const headers = requestHeaders(typeof given === "function" ? await given() : given);
      signal.throwIfAborted();
      try {
        const response = await send(base + path, { method: "GET", headers, redirect: "manual", signal });
        return await readAnswer(response, signal, claim.sha256, size, maxBytes);
      } catch (error) {
        throw isSinkwireError(error) ? error : connectionFailure(error);
      }
    });
  }

  return {
    redeem,
    async body({ body, sha256, size }, options) {
      return body.form === "inline" ? body.bytes : redeem({ ref: body.ref, sha256: sha256 ?? "", size }, options);
    },
  };
}

async function readAnswer(
  response: Response,
  signal: AbortSignal,
  sha256: string,
  size: number | null,
  maxBytes: number,
): Promise<Uint8Array> {
  const reader = response.body?.getReader() ?? null;
  const close = () => void reader?.cancel().catch(() => {});
  signal.addEventListener("abort", close, { once: true });
  try {
    signal.throwIfAborted();
    if (response.status !== 200 || response.redirected) throw await refusal(response, reader);
    if (!isIdentity(response)) throw new ClaimUnavailableError("the gateway encoded the body, which was not asked for");
    const cap = size ?? maxBytes;
    const { bytes, more } = reader === null ? { bytes: new Uint8Array(), more: false } : await readBody(reader, cap);
    signal.throwIfAborted();
    if (more && size === null) throw new MessageTooLargeError(cap + 1, cap, "body");
    if (more || (size !== null && bytes.length !== size) || (await sha256Hex(bytes)) !== sha256) {
      throw new ClaimError("claim_integrity", "the redeemed bytes are not the body that the message announced");
    }
    return bytes;
  } finally {
    signal.removeEventListener("abort", close);
    close();
  }
}

async function refusal(
  response: Response,
  reader: ReadableStreamDefaultReader<Uint8Array> | null,
): Promise<ClaimError> {
  const { status, headers } = response;
  if (status === 404) return new ClaimError("claim_not_found", "the gateway has no such claim");
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) {
    const readable = reader !== null && isIdentity(response);
    return new ClaimRejectedError(status, readable ? await errorBody(reader) : "");
  }
  return new ClaimUnavailableError(`the gateway answered with status ${status}`, {
    retryAfterMs: retryAfterMs(headers.get("retry-after")),
  });
}

async function errorBody(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<unknown> {
  const { bytes } = await readBody(reader, MAX_ERROR_BODY_BYTES);
  const text = new TextDecoder().decode(bytes);
  try {
    const value: unknown = JSON.parse(text);
    return isDeeper(value, MAX_ERROR_BODY_LEVELS) ? text : value;
  } catch {
    return text;
  }
}

/** Whether a value nests more than so many levels: what walks it, such as `JSON.stringify`, would overflow the stack. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

function isIdentity({ headers }: Response): boolean {
  const encoding = headers.get("content-encoding");
  return encoding === null || encoding.toLowerCase() === "identity";
}

/**
 * The cause is kept only where it is the system's or the socket's own error: an HTTP client's error may quote the address
 * and with it a signature, or carry the request's headers.
 */
function connectionFailure(error: unknown): ClaimUnavailableError {
  const inner = (error as { cause?: unknown } | null)?.cause;
  const cause = [error, inner].find(isSocketError);
  const code = systemCode(error) ?? systemCode(inner);
  const text = `the gateway cannot be reached or broke off${code === null ? "" : ` (${code})`}`;
  return new ClaimUnavailableError(text, { cause });
}

function isSocketError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return "syscall" in error || systemCode(error)?.startsWith("UND_ERR_") === true;
}

function systemCode(error: unknown): string | null {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === "string" && SYSTEM_CODE.test(code) ? code : null;
}
