import { property } from "./adapter/read-body.js";
import type { Delivery, DeliveryHandler, InvalidDelivery, TombstoneDelivery } from "./delivery.js";
import type { FirstVerb } from "./first-verb.js";
import { retryBackoff } from "./retry-backoff.js";

/** What happens to what is no message, and after errors. */
export interface HandleOptions {
  /**
   * Gets what is not to be handled. Unless it acknowledges, the delivery is rejected when it returns or throws, with the
   * code of the read as the reason. Default: nothing but the rejection.
   */
  readonly onInvalid?: ((delivery: InvalidDelivery) => void | Promise<void>) | undefined;
  /** Gets deliveries without a body; returning and throwing mean what they mean for messages. Default: acknowledged. */
  readonly onTombstone?: ((delivery: TombstoneDelivery) => void | Promise<void>) | undefined;
  /** Told what a handler threw and why a verb failed, to log it. It settles nothing. Default: nobody is told. */
  readonly onError?: ((error: unknown, delivery: Delivery) => void) | undefined;
  /**
   * How long a failed attempt waits for the next, in milliseconds; an error's own `retryAfterMs` counts when it is longer.
   * Default: `retryBackoff`.
   */
  readonly backoff?: ((attempt: number | null) => number) | undefined;
}

/** Longest wait that an error can ask for with its `retryAfterMs`: a day. */
const MAX_RETRY_AFTER_MS = 86_400_000;

/** How one delivery is handled. */
export interface Handling extends HandleOptions {
  readonly handler: DeliveryHandler;
  /** The verbs of the delivery, of which one takes effect. */
  readonly guard: FirstVerb;
  /** The signal that the handler sees. */
  readonly signal: AbortSignal;
}

/**
 * Handles one delivery and settles it.
 *
 * @param delivery - as the consumer yielded it
 * @param handling - handler, guard, signal and callbacks
 * @returns true when it is finished; false when it comes again
 * @throws what `onError` or `backoff` threw
 */
export async function handleDelivery(delivery: Delivery, handling: Handling): Promise<boolean> {
  const { guard, signal, onError } = handling;
  if (signal.aborted) return false;
  let settle = guard.verbs.ack;
  try {
    await hand(delivery, handling);
  } catch (error) {
    onError?.(error, delivery);
    settle = () => settleFailed(error, delivery, handling);
  }
  if (delivery.kind === "invalid") {
    const { code } = delivery.error;
    settle = () => guard.verbs.reject(code, { code });
  }
  void settle();
  const first = guard.taken();
  if (first === null) return false;
  try {
    await first.done;
  } catch (error) {
    onError?.(error, delivery);
    return false;
  }
  return first.verb === "ack" || first.verb === "reject";
}

/** Calls what handles this kind of delivery. */
async function hand(delivery: Delivery, handling: Handling): Promise<void> {
  const { handler, guard, signal, onInvalid, onTombstone } = handling;
  const { metadata, key, attempt, address, pairs } = delivery;
  const common = { metadata, key, attempt, address, pairs, signal };
  if (delivery.kind === "message") {
    const { kind, message, bytes } = delivery;
    await handler({ kind, message, bytes, ...common, ...guard.verbs });
  } else if (delivery.kind === "tombstone") {
    await onTombstone?.({ kind: delivery.kind, ...common, ...guard.verbs });
  } else {
    const { kind, error, bytes } = delivery;
    const { ack, reject } = guard.verbs;
    await onInvalid?.({ kind, error, bytes, ...common, ack, reject });
  }
}

/** Rejects after an error that says it is permanent, retries after any other. */
function settleFailed(error: unknown, delivery: Delivery, { guard, backoff = retryBackoff }: Handling): Promise<void> {
  if (property(error, "retryable") === false) {
    const code = property(error, "code");
    const reason = property(error, "message");
    return guard.verbs.reject(typeof reason === "string" ? reason : "the handler rejected it", {
      code: typeof code === "string" ? code : null,
    });
  }
  const asked = property(error, "retryAfterMs");
  const atLeastMs = typeof asked === "number" && asked > 0 ? Math.min(asked, MAX_RETRY_AFTER_MS) : 0;
  return guard.verbs.retry({ afterMs: Math.max(backoff(delivery.attempt), atLeastMs) });
}
