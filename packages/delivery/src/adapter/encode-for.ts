import {
  type EncodedMessage,
  type EncodeOptions,
  encodeMessage,
  type Hook,
  InvalidHookError,
  type PublishContext,
} from "@sinkwire/message";

/** Limits and claim of a message, as every adapter takes them beside its own options. */
export type MappingOptions = Omit<EncodeOptions, "overhead">;

/** What every adapter says about the message that it mapped. */
export type Mapped = Omit<EncodedMessage, "bytes">;

/** What a transport carries beside the body. */
export interface Parts {
  /** Bytes of it that count toward the transport's limit. */
  readonly overhead: number;
}

/** A message and what the transport carries beside it. */
export interface EncodedFor<P extends Parts> {
  /** The message's canonical bytes, as a Buffer, since most clients ask for one. */
  readonly body: Buffer;
  readonly parts: P;
  readonly mapped: Mapped;
}

/**
 * Encodes a hook for one transport, its size compared by the transport's own count.
 *
 * @param hook - the received webhook
 * @param context - what is not the provider's
 * @param options - limits and claim
 * @param transport - `maxBytes`, the limit when the options give none; `parts`, called once after hook, context and
 *   limits are checked and before any size is compared, checks the transport's own options and counts
 * @returns the body, the parts, and the form and size that were counted
 * @throws what `encodeMessage` and `parts` throw
 */
export function encodeFor<P extends Parts>(
  hook: Hook,
  context: PublishContext | null | undefined,
  options: MappingOptions | null | undefined,
  transport: { readonly maxBytes: number; readonly parts: () => P },
): EncodedFor<P> {
  const made: P[] = [];
  const { bytes, ...mapped } = encodeMessage(hook, context, {
    inlineMaxBytes: options?.inlineMaxBytes,
    maxBytes: options?.maxBytes ?? transport.maxBytes,
    claim: options?.claim,
    overhead: () => {
      if (typeof (options ?? {}) !== "object" || Array.isArray(options)) {
        throw new InvalidHookError("options", "expected an object");
      }
      const parts = transport.parts();
      made.push(parts);
      return parts.overhead;
    },
  });
  return { body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), parts: made[0] as P, mapped };
}
