import { PublishError, type PublishErrorCode, type PublishOutcome } from "@sinkwire/delivery";
import { property } from "@sinkwire/delivery/adapter";

/** What the server says when it closes a channel over a message that is too large, in 3.10 and in 4. */
const TOO_LARGE = /message size \d+ is larger than (?:configured )?max(?:imum)?(?: message)? size (\d+)/;

/** What amqplib's error of a nack says, to tell it from that of a channel that closed. */
const NACKED = "message nacked";

/** Where a message went, and how large it is. */
export interface PublishedTo {
  readonly exchange: string;
  readonly routingKey: string;
  readonly bytes: number;
}

/**
 * Says that an exchange could not be used: the channel was refused before anything was published.
 *
 * @param error - what the client's declaration threw
 */
export function exchangeErrorOf(error: unknown, exchange: string): PublishError {
  return failed("publish_failed", `exchange ${JSON.stringify(exchange)}: ${text(error)}`, "not_published", error);
}

/** Says that no queue took a message. */
export function unroutableErrorOf(to: PublishedTo): PublishError {
  return failed("publish_failed", `${placeOf(to)}: no queue takes it (returned)`, "not_published", undefined);
}

/**
 * Says what it means that the client did not hand a message over: a channel that is closed, or headers that do not fit.
 *
 * @param error - what the client's `publish` threw
 */
export function refusedErrorOf(error: unknown, to: PublishedTo): PublishError {
  const code = error instanceof RangeError ? "publish_rejected" : "publish_failed";
  return failed(code, `${placeOf(to)}: ${text(error)}`, "not_published", error);
}

/**
 * Says what the confirm's error means for a message.
 *
 * @param error - what the client's callback was given
 * @param closedBy - why the server closed the channel; null when it did not
 */
export function confirmErrorOf(error: unknown, closedBy: unknown, to: PublishedTo): PublishError {
  if (property(error, "message") === NACKED) {
    return failed("publish_failed", `${placeOf(to)}: refused by the server (nack)`, "not_published", error);
  }
  const cause = closedBy ?? error;
  const limit = TOO_LARGE.exec(text(cause))?.[1];
  if (limit !== undefined && to.bytes > Number(limit)) {
    return failed("publish_rejected", `${placeOf(to)}: larger than the server takes`, "not_published", cause);
  }
  return failed("publish_failed", `${placeOf(to)}: written, and not confirmed: ${text(cause)}`, "unknown", cause);
}

function failed(code: PublishErrorCode, message: string, outcome: PublishOutcome, cause: unknown): PublishError {
  return new PublishError(code, message, { outcome, cause });
}

function placeOf({ exchange, routingKey }: PublishedTo): string {
  return `exchange ${JSON.stringify(exchange)}, routing key ${JSON.stringify(routingKey)}`;
}

function text(error: unknown): string {
  const message = property(error, "message");
  return typeof message === "string" ? message : String(error);
}
