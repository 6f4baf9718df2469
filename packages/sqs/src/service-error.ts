import { property } from "@sinkwire/delivery/adapter";

/** What a connection fails in before anything is written. */
const BEFORE_WRITE: readonly unknown[] = ["connect", "getaddrinfo"];

/** What SQS calls a queue that does not exist, in its two protocols. */
const MISSING: readonly string[] = ["QueueDoesNotExist", "NonExistentQueue"];

/** A `retry-after` in seconds; SQS sends no dates. */
const SECONDS = /^[0-9]{1,5}$/;

/**
 * The name of an error that SQS answered with, as in its documentation: `QueueDoesNotExist`.
 *
 * @param error - what the client's `send` threw
 * @returns the name without what some endpoints write around it; that of the client for an error of its own
 */
export function errorName(error: unknown): string {
  const name = String(property(error, "name")).split(/[.#]/).at(-1) ?? "";
  return name.replace(/(?<=.)Exception$/, "");
}

/** The status of the answer; null when there was none. */
export function statusOf(error: unknown): number | null {
  const status = property(property(error, "$metadata"), "httpStatusCode");
  return typeof status === "number" ? status : null;
}

/** Whether one try surely had no effect: the connection was not made, or the answer puts it down to the request. */
export function hadNoEffect(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== null) return status >= 400 && status < 500;
  const errors = property(error, "errors");
  const causes: readonly unknown[] = Array.isArray(errors) && errors.length > 0 ? errors : [error];
  return causes.every((cause) => BEFORE_WRITE.includes(property(cause, "syscall")));
}

/** How long the answer asks to wait, in milliseconds; null when it does not. */
export function retryAfterMs(error: unknown): number | null {
  const header = property(property(property(error, "$response"), "headers"), "retry-after");
  return typeof header === "string" && SECONDS.test(header) ? Number(header) * 1_000 : null;
}

/** Whether SQS answered that the queue does not exist. */
export function isMissingQueue(error: unknown): boolean {
  return MISSING.includes(errorName(error));
}
