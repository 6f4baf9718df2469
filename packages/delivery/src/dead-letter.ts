import type { DeliveryOrigin, MetadataPair, RejectOptions } from "./delivery.js";

/** The names that a dead letter adds to its metadata: five, the room that the SQS mapping can keep free for them. */
export const DEAD_LETTER_NAMES = {
  /** Why, in words: at most 512 bytes, and of characters that every broker carries. */
  reason: "sinkwire_dead_reason",
  /** Why, for programs: an error's code. Not there when there is none. */
  code: "sinkwire_dead_code",
  /** The attempt that was the last. Not there where the broker does not count. */
  attempt: "sinkwire_dead_attempt",
  /** When, in Unix milliseconds. */
  atMs: "sinkwire_dead_at_ms",
  /** Topic, subject, queue or stream that the delivery came from. */
  address: "sinkwire_dead_address",
} as const;

/** Longest value of a name of a dead letter, in UTF-8 bytes. */
const MAX_VALUE_BYTES = 512;

/** What some broker cannot carry: control characters (NATS, and SQS by XML 1.0) and U+FFFE, U+FFFF (SQS). */
const NOT_CARRIED = /[\p{Cc}\ufffe\uffff]+/gu;

const OURS: ReadonlySet<string> = new Set(Object.values(DEAD_LETTER_NAMES));

/** What goes to the dead letters. */
export interface DeadLetter {
  /** The body as delivered; null for a tombstone. */
  readonly bytes: Uint8Array | null;
  /** The metadata as delivered, in order, then the names of {@link DEAD_LETTER_NAMES}. */
  readonly pairs: readonly MetadataPair[];
}

/** What a dead letter says beside its reason. */
export interface DeadLetterOptions extends RejectOptions {
  /** When it was rejected, in Unix milliseconds. Default now. */
  readonly atMs?: number | undefined;
}

/** What a dead letter is made of: a delivery, or a read and where it came from. */
export type DeadDelivery = Pick<DeliveryOrigin, "attempt" | "address" | "pairs"> & {
  /** The body; absent and null for a tombstone. */
  readonly bytes?: Uint8Array | null | undefined;
  /** Why an invalid read is invalid. */
  readonly error?: { readonly code: string } | undefined;
};

/**
 * Makes a dead letter: the original bytes and metadata, and why, which attempt, when and where it was rejected. What an
 * earlier hop said about that is replaced, so a message that is rejected again and again does not grow.
 *
 * @param delivery - what was delivered
 * @param reason - why, in words; control characters become spaces, and it is cut at 512 bytes
 * @param options - code (default: of an invalid read) and time
 * @returns body and metadata; never throws
 */
export function deadLetterOf(delivery: DeadDelivery, reason: string, options: DeadLetterOptions = {}): DeadLetter {
  const code = options.code ?? delivery.error?.code;
  const added = [
    [DEAD_LETTER_NAMES.reason, carried(reason) || "rejected"],
    [DEAD_LETTER_NAMES.code, carried(code ?? "")],
    [DEAD_LETTER_NAMES.attempt, delivery.attempt === null ? "" : String(delivery.attempt)],
    [DEAD_LETTER_NAMES.atMs, String(options.atMs ?? Date.now())],
    [DEAD_LETTER_NAMES.address, carried(delivery.address)],
  ] as const;
  return {
    bytes: delivery.bytes ?? null,
    pairs: [...delivery.pairs.filter(([name]) => !OURS.has(name)), ...added.filter(([, value]) => value !== "")],
  };
}

/** Text as every broker carries it, cut between characters. */
function carried(text: string): string {
  // A character takes at least a byte, so nothing after the limit can be kept.
  const clean = text.slice(0, MAX_VALUE_BYTES).toWellFormed().replace(NOT_CARRIED, " ");
  const { read } = new TextEncoder().encodeInto(clean, new Uint8Array(MAX_VALUE_BYTES));
  return clean.slice(0, read).trim();
}
