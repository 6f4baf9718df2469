/** How the producer verified a hook when it came in. */
export interface Verification {
  readonly status: "ok" | "failed" | "skipped";
  /** True when a failed check was let through: treat the hook as unverified. */
  readonly flagged: boolean;
}

/** A request header: name and value, in order of arrival. */
export type HeaderPair = readonly [name: string, value: string];

/** The body of a message: the bytes themselves, or a reference to redeem them with (see `@sinkwire/claim-check`). */
export type MessageBody =
  | { readonly form: "inline"; readonly bytes: Uint8Array }
  | { readonly form: "claim"; readonly ref: string };

/**
 * A sink message. Field names are the wire's. `JSON.stringify` of a decoded message is a valid message again;
 * {@link serializeMessage} gives its canonical bytes.
 */
export interface Message {
  /** Major version as the wire said it: 1 or 2. */
  readonly v: number;
  /** The hook's id, never empty; the same on every redelivery and replay. */
  readonly id: string;
  /** Any text, the empty string included. */
  readonly source_id: string;
  readonly tenant_id: string | null;
  /** Unix milliseconds; may be negative. */
  readonly received_at: number;
  /** The provider's content type of the body. */
  readonly content_type: string | null;
  /** Body bytes, in both body forms. */
  readonly size: number;
  readonly dedupe_key: string | null;
  readonly replay_id: string | null;
  /** As shipped; {@link idempotencyKey} computes it where it is missing. */
  readonly idempotency_key: string | null;
  readonly verification: Verification | null;
  /** Forwarded provider headers, as they are on the wire. The object inherits nothing, not even `toString`. */
  readonly headers: Readonly<Record<string, string>>;
  /** W3C trace context: carried, never parsed. */
  readonly traceparent: string | null;
  readonly tracestate: string | null;
  readonly instance: string | null;
  readonly region: string | null;
  readonly ordering_key: string | null;
  /** Digest of the body, 64 lowercase hex digits. Null only for an inline message that carries none. */
  readonly sha256: string | null;
  readonly body: MessageBody;
}

/** A received webhook, as a producer hands it to {@link encodeMessage}. Absent and null are the same. */
export interface Hook {
  readonly id: string;
  readonly source_id: string;
  readonly tenant_id?: string | null | undefined;
  /** Unix milliseconds, an integer of at most 2^53 - 1 in magnitude. */
  readonly received_at: number;
  readonly content_type?: string | null | undefined;
  readonly body: Uint8Array;
  readonly dedupe_key?: string | null | undefined;
  /** Request headers in order of arrival, repeated names as they came. */
  readonly headers?: readonly HeaderPair[] | null | undefined;
  /** Absent: written as `{"status":"skipped","flagged":false}`. */
  readonly verification?: Verification | null | undefined;
  readonly traceparent?: string | null | undefined;
  readonly tracestate?: string | null | undefined;
}

/** Which request headers go into the message, see {@link forwardHeaders}. */
export interface ForwardOptions {
  /** `"default"`: every header but the never-forwarded ones; a list: only those; `[]`: none. Default `"default"`. */
  readonly forward?: "default" | readonly string[] | null | undefined;
  /** Most names kept. Default 64. */
  readonly maxHeaders?: number | null | undefined;
  /** Most bytes of kept names and values together. Default 16,384. */
  readonly maxHeaderBytes?: number | null | undefined;
}

/** Where and how a hook is published: what is not the provider's. */
export interface PublishContext extends ForwardOptions {
  readonly instance?: string | null | undefined;
  readonly region?: string | null | undefined;
  /** Set for a deliberate replay of a hook. */
  readonly replay_id?: string | null | undefined;
  /** The ordering key; pass `<tenant>/<source>` for an ordered hook without a key of its own. */
  readonly ordering_key?: string | null | undefined;
}

/** A body that was checked in to a claim store. */
export interface Claim {
  /** A claim reference, `urn:ankusa:claim:…`. */
  readonly ref: string;
  /** Digest of the body, 64 lowercase hex digits. */
  readonly sha256: string;
}

/** Size limits of a message. */
export interface SizeLimits {
  /** Largest body that rides inline, in bytes. Default 65,536. */
  readonly inlineMaxBytes?: number | null | undefined;
  /** Largest message in bytes, `overhead` included. Default 1,048,576. */
  readonly maxBytes?: number | null | undefined;
  /**
   * What a transport counts beside the message (key, headers, attributes), in bytes. Called once, after the hook, the
   * context and the limits are checked and before any size is compared, so it may check options of its own. Default 0.
   */
  readonly overhead?: (() => number) | undefined;
}

/** A message without its headers, digest and body: what transports read to address it and to write its metadata. */
export type MessageHead = Omit<Message, "headers" | "sha256" | "body">;

/** An encoded message. */
export interface EncodedMessage {
  /** Canonical bytes. */
  readonly bytes: Uint8Array;
  /** What the bytes say but for headers, digest and body. Where it is left out, publishers decode the bytes. */
  readonly head?: MessageHead | undefined;
  readonly form: "inline" | "claim";
  /** Bytes of the message plus the transport's overhead: what was compared with `maxBytes`. */
  readonly size: number;
  /** How many forwarded header names the caps dropped. */
  readonly dropped: DroppedHeaders;
}

/** Header names that were dropped by `maxHeaders` (`count`) and by `maxHeaderBytes` (`bytes`). */
export interface DroppedHeaders {
  readonly count: number;
  readonly bytes: number;
}
