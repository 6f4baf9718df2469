import { property } from "@sinkwire/delivery/adapter";

/** What a closed connection of amqplib answers, plain or recovering; one that recovers makes its callers wait. */
const CLOSED_FOR_GOOD = /^Connection clos(?:ed|ing)/;

/** AMQP's codes for: no permission, locked by another connection, a precondition that failed. */
const REFUSED: readonly unknown[] = [403, 405, 406];

/** AMQP's code for a queue that is not found, which the server also gives for one that is down for the moment. */
const NOT_FOUND = 404;

/**
 * Whether a consumer cannot go on.
 *
 * @param error - what opening a channel or consuming threw
 * @param lastError - what it threw the time before: a connection that has given up answers with the same error again
 */
export function isFinal(error: unknown, lastError: unknown): boolean {
  const code = property(error, "code");
  const message = String(property(error, "message"));
  return (
    error === lastError ||
    CLOSED_FOR_GOOD.test(message) ||
    REFUSED.includes(code) ||
    (code === NOT_FOUND && message.includes("no queue"))
  );
}
