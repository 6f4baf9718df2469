import {
  addressOption,
  encodeFor,
  type Mapped,
  type MappingOptions,
  pairsLength,
  sha256Form,
} from "@sinkwire/delivery/adapter";
import { deliveryId, type HeaderPair, type Hook, headersSet, type PublishContext } from "@sinkwire/message";
import { NATS_LIMITS } from "./limits.js";

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

/** What a header line cannot carry byte for byte. */
const UNCARRIED = /[\r\n\0]|^[ \t]|[ \t]$/;
/** White space, which ends a subject on the protocol's line, and control characters. */
const NOT_IN_SUBJECT = /[\0- ]/;

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
      return {
        subject,
        headers,
        overhead: NATS_LIMITS.headerBlockBytes + pairsLength(headers, NATS_LIMITS.headerBytes),
      };
    },
  });
  return { subject: parts.subject, payload: body, headers: parts.headers, ...mapped };
}

function messageHeaders(hook: Hook, context: PublishContext | null | undefined): readonly HeaderPair[] {
  const id = deliveryId({ id: hook.id, replay_id: context?.replay_id });
  return [
    ["Nats-Msg-Id", UNCARRIED.test(id) ? sha256Form(id) : id],
    ...headersSet(hook, context).filter(([, value]) => !UNCARRIED.test(value)),
  ];
}

function subjectFault(subject: string): string | null {
  if (NOT_IN_SUBJECT.test(subject)) return "a subject holds no white space and no control character";
  const tokens = subject.split(".");
  if (tokens.includes("")) return "the subject holds an empty token";
  return tokens.includes("*") || tokens.includes(">") ? "messages are not published to a wildcard" : null;
}
