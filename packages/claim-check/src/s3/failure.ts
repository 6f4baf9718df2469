import { isSinkwireError } from "@sinkwire/message";
import { ClaimUnavailableError } from "../errors.js";
import { retryAfterMs } from "../retry-after.js";

/** An error's name or a system's code as people know it. Anything else that a server sends is not repeated. */
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

const FORBIDDEN_STATUS: readonly unknown[] = [401, 403];

/** Names of the client's own, which ask no server: it has no credentials, or cannot read them. */
const FORBIDDEN_NAMES: readonly unknown[] = ["CredentialsProviderError", "TokenProviderError"];

/** The name that a server, or the client, gave an error, such as `NoSuchKey`. */
export function nameOf(error: unknown): unknown {
  return (error as { name?: unknown } | null)?.name;
}

/** The status of the answer behind an error; null when there was none. */
export function statusOf(error: unknown): number | null {
  const status = (error as { $metadata?: { httpStatusCode?: unknown } } | null)?.$metadata?.httpStatusCode;
  return typeof status === "number" ? status : null;
}

/**
 * The error for the caller. Of the client's error it keeps the name, the status and the wait, and no more: such an error
 * carries the request, and of it the key id, the signature and the string that was signed.
 *
 * @param error - what `send` threw, or what reading an answer did
 */
export function storeFailure(error: unknown): Error {
  if (isSinkwireError(error)) return error;
  const status = statusOf(error);
  const name = nameOf(error);
  const systemCode = status === null ? (error as { code?: unknown } | null)?.code : null;
  const what = [systemCode, name].find((word) => typeof word === "string" && NAME.test(word));
  const forbidden = FORBIDDEN_STATUS.includes(status) || FORBIDDEN_NAMES.includes(name);
  const details = [what, status === null ? null : `status ${status}`].filter((each) => typeof each === "string");
  return new ClaimUnavailableError(`the claim bucket failed (${details.join(", ")})`, {
    reason: forbidden ? "forbidden" : "unavailable",
    retryAfterMs: retryAfterMs(retryAfterOf(error)),
  });
}

function retryAfterOf(error: unknown): string | null {
  const response = (error as { $response?: { headers?: Record<string, unknown> } } | null)?.$response;
  const value = response?.headers?.["retry-after"];
  return typeof value === "string" ? value : null;
}
