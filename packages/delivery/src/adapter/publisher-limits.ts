import { MessageTooLargeError } from "@sinkwire/message";
import { PublishError } from "../errors.js";
import { createInFlight, type InFlight, type InFlightLimits } from "./in-flight.js";
import { integerOption, MAX_TIMER_MS } from "./options.js";
import { PUBLISH_TIMEOUT_MS } from "./publish-within.js";

/** What every publisher takes beside its own options. */
export interface PublisherLimits {
  /** Limit of a message by the transport's own count, in bytes. Default: that of the transport's exported limits. */
  readonly maxBytes?: number | undefined;
  /** How long one publish may take, in milliseconds, from the call to the broker's answer. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** How much may be unconfirmed. Default 256 messages and 16 MiB. */
  readonly inFlight?: InFlightLimits | undefined;
}

/** The limits of one publisher, at work. */
export interface CheckedPublisherLimits {
  readonly timeoutMs: number;
  readonly inFlight: InFlight;
  /** @throws PublishError `publish_rejected` for a message of more bytes than the limit */
  checkSize(bytes: number): void;
}

/**
 * Checks the limits that a publisher was given.
 *
 * @param options - as the caller gave them
 * @param defaultMaxBytes - the transport's own limit, in bytes
 * @throws InvalidHookError (`maxBytes`, `timeoutMs`, `maxMessages`) for one that cannot be used
 */
export function publisherLimits(options: PublisherLimits, defaultMaxBytes: number): CheckedPublisherLimits {
  const maxBytes = integerOption(options.maxBytes, "maxBytes", defaultMaxBytes, 1);
  return {
    timeoutMs: integerOption(options.timeoutMs, "timeoutMs", PUBLISH_TIMEOUT_MS, 1, MAX_TIMER_MS),
    inFlight: createInFlight(options.inFlight),
    checkSize(bytes) {
      if (bytes <= maxBytes) return;
      const cause = new MessageTooLargeError(bytes, maxBytes);
      throw new PublishError("publish_rejected", cause.message, { outcome: "not_published", cause });
    },
  };
}
