import { pairsLength, sha256Form } from "@sinkwire/delivery/adapter";
import { deliveryId, type HeaderPair, headersSet, type MetadataContext, type MetadataHook } from "@sinkwire/message";
import { NATS_LIMITS } from "./limits.js";

/** What a header line cannot carry byte for byte. */
const UNCARRIED = /[\r\n\0]|^[ \t]|[ \t]$/;

/** Whether a value arrives as it was sent. */
export type Carries = (value: string) => boolean;

/** What the protocol's header line carries. */
export const lineCarries: Carries = (value) => !UNCARRIED.test(value);

/** What `@nats-io` carries: it trims all that JavaScript calls white space, when it writes and when it reads. */
export const clientCarries: Carries = (value) => lineCarries(value) && value === value.trim();

/**
 * The headers of a message: `Nats-Msg-Id`, as its digest where it is not carried, then the headers set without what is not.
 *
 * @param carries - by what it is sent. Default: by a client that alters nothing
 */
export function messageHeaders(
  hook: MetadataHook,
  context: MetadataContext | null | undefined,
  carries: Carries = lineCarries,
): readonly HeaderPair[] {
  const id = deliveryId({ id: hook.id, replay_id: context?.replay_id });
  return [
    ["Nats-Msg-Id", carries(id) ? id : sha256Form(id)],
    ...headersSet(hook, context).filter(([, value]) => carries(value)),
  ];
}

/** Bytes of the header block. */
export function headerBlockLength(headers: readonly HeaderPair[]): number {
  return NATS_LIMITS.headerBlockBytes + pairsLength(headers, NATS_LIMITS.headerBytes);
}
