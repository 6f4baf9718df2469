import { addressOption, encodeFor, type Mapped, type MappingOptions } from "@sinkwire/delivery/adapter";
import type { HeaderPair, Hook, PublishContext } from "@sinkwire/message";
import { headerBlockLength, messageHeaders } from "./headers.js";
import { NATS_LIMITS } from "./limits.js";
import { subjectFault } from "./subject.js";

/** How to map a hook to a message. */
export interface ToNatsOptions extends MappingOptions {
  /** The subject to publish to: at most 255 bytes, no wildcard, no white space or control character, no empty token. */
  readonly subject: string;
}

/** A JetStream message: append each header to the client's own `headers()` and publish. */
export interface NatsMessage extends Mapped {
  readonly subject: string;
  readonly payload: Buffer;
  /** `Nats-Msg-Id` first, then the headers set without what a header line cannot carry. Every name is there once. */
  readonly headers: readonly HeaderPair[];
}

/**
 * Maps a hook to a JetStream message.
 *
 * @param hook - the received webhook
 * @param context - what is not the provider's
 * @param options - subject, limits in bytes of payload plus header block (default {@link NATS_LIMITS}), claim
 * @returns the message; `size` is payload plus header block
 * @throws InvalidHookError (`subject` for the option), MessageTooLargeError, ClaimError; all permanent
 */
export function toNats(hook: Hook, context: PublishContext | null | undefined, options: ToNatsOptions): NatsMessage {
  const { body, parts, mapped } = encodeFor(hook, context, options, {
    maxBytes: NATS_LIMITS.maxBytes,
    parts: () => {
      const subject = addressOption(options?.subject, "subject", subjectFault);
      const headers = messageHeaders(hook, context);
      return { subject, headers, overhead: headerBlockLength(headers) };
    },
  });
  return { subject: parts.subject, payload: body, headers: parts.headers, ...mapped };
}
