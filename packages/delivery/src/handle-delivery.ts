import { property } from "./adapter/read-body.js";
import type { Delivery, DeliveryHandler, InvalidDelivery, TombstoneDelivery } from "./delivery.js";
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

/** How deliveries are handled. */
export interface Handling extends HandleOptions {
  readonly handler: DeliveryHandler;
  /** Must not throw. */
  readonly onError: (error: unknown, delivery: Delivery) => void;
}

/**
 * Handles one delivery and settles it.
 *
 * @param delivery - as the consumer yielded it
 * @param handling - handler and callbacks
 * @returns resolves when a verb has settled; never rejects
 */
export async function handleDelivery(delivery: Delivery, handling: Handling): Promise<void> {
  const reported = new Set<unknown>();
  const report = (error: unknown): void => {
    if (!reported.has(error)) handling.onError(error, delivery);
    reported.add(error);
  };
  let settle = () => delivery.ack();
  try {
    await hand(delivery, handling);
  } catch (error) {
    report(error);
    settle = () => settleFailed(error, delivery, handling);
  }
  if (delivery.kind === "invalid") {
    const { code } = delivery.error;
    settle = () => delivery.reject(code, { code });
  }
  try {
    await settle();
  } catch (error) {
    report(error);
    // Nothing more, when a verb has taken effect and failed; the default retry, when `backoff` threw.
    await delivery.retry().catch(report);
  }
}

/** Calls what handles this kind of delivery. */
async function hand(delivery: Delivery, { handler, onInvalid, onTombstone }: Handling): Promise<void> {
  if (delivery.kind === "message") return handler(delivery);
  if (delivery.kind === "tombstone") return onTombstone?.(delivery);
  const { kind, error, metadata, bytes, key, attempt, address, pairs, signal } = delivery;
  return onInvalid?.({
    ...{ kind, error, metadata, bytes, key, attempt, address, pairs, signal },
    ack: () => delivery.ack(),
    reject: (reason, options) => delivery.reject(reason, options),
  });
}

/** Rejects after an error that says it is permanent, retries after any other. */
function settleFailed(error: unknown, delivery: Delivery, { backoff = retryBackoff }: Handling): Promise<void> {
  if (property(error, "retryable") === false) {
    const code = property(error, "code");
    const reason = property(error, "message");
    return delivery.reject(typeof reason === "string" ? reason : "the handler rejected it", {
      code: typeof code === "string" ? code : null,
    });
  }
  const asked = property(error, "retryAfterMs");
  const atLeastMs = typeof asked === "number" && asked > 0 ? Math.min(asked, MAX_RETRY_AFTER_MS) : 0;
  return delivery.retry({ afterMs: Math.max(backoff(delivery.attempt), atLeastMs) });
}
