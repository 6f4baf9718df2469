import type { Delivery, DeliveryOrigin, RejectOptions } from "../delivery.js";
import type { DeliveryRead } from "../read-delivery.js";
import { retryBackoff } from "../retry-backoff.js";

/** What a transport does for each verb. At most one of them is called, once, and never after the signal aborted. */
export interface BrokerVerbs {
  ack(): Promise<void>;
  /** @param afterMs - not before so many milliseconds; at least 0 */
  retry(afterMs: number): Promise<void>;
  reject(reason: string, options: RejectOptions): Promise<void>;
  giveBack(): Promise<void>;
  /**
   * Called once, when the first verb settled, also one that did nothing because the signal had aborted: the place to end a
   * lease.
   *
   * @param comesAgain - true unless it was acknowledged or rejected
   */
  settled?(comesAgain: boolean): void;
}

/**
 * Makes a delivery of what was read: exactly one verb takes effect, and a retry without a time gets the default one.
 *
 * @param read - what was read
 * @param origin - where it came from; abort its signal when the broker takes the delivery back
 * @param broker - what the verbs do
 */
export function createDelivery(read: DeliveryRead, origin: DeliveryOrigin, broker: BrokerVerbs): Delivery {
  let settling: Promise<void> | null = null;
  const settle = async (verb: () => Promise<void>, isFinal: boolean): Promise<void> => {
    let comesAgain = true;
    try {
      if (origin.signal.aborted) return;
      await verb();
      comesAgain = !isFinal;
    } finally {
      broker.settled?.(comesAgain);
    }
  };
  const first = (verb: () => Promise<void>, isFinal: boolean): Promise<void> => {
    settling ??= settle(verb, isFinal);
    return settling;
  };
  return {
    ...read,
    ...origin,
    ack: () => first(() => broker.ack(), true),
    retry: (options) => {
      const afterMs = options?.afterMs ?? retryBackoff(origin.attempt);
      return first(() => broker.retry(Math.max(afterMs, 0) || 0), false);
    },
    reject: (reason, options = {}) => first(() => broker.reject(reason, options), true),
    giveBack: () => first(() => broker.giveBack(), false),
  };
}
