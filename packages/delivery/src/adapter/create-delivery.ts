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
  /** Whether the broker hands out again what was rejected, until it moves it to the dead letters itself. Default false. */
  readonly isRejectedAgain?: boolean;
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
 * @param origin - where it came from; abort its signal, which many deliveries may share, when the broker takes the delivery
 *   back. The delivery's own signal follows it
 * @param broker - what the verbs do
 */
export function createDelivery(read: DeliveryRead, origin: DeliveryOrigin, broker: BrokerVerbs): Delivery {
  const { key, attempt, address, pairs } = origin;
  let settling: Promise<void> | null = null;
  let isGivenBack = false;
  /** Made when it is first asked for: a controller costs more than the rest of a delivery. */
  let controller: AbortController | null = null;
  const abort = (): void => controller?.abort(origin.signal.reason);
  const settle = async (verb: () => Promise<void>, isFinal: boolean): Promise<void> => {
    let comesAgain = true;
    try {
      if (origin.signal.aborted) return;
      await verb();
      comesAgain = !isFinal;
    } finally {
      origin.signal.removeEventListener("abort", abort);
      broker.settled?.(comesAgain);
    }
  };
  const first = (verb: () => Promise<void>, isFinal: boolean): Promise<void> => {
    settling ??= settle(verb, isFinal);
    return settling;
  };
  // The spread comes last: properties that are written after one cost a hundred times as much.
  return {
    key,
    attempt,
    address,
    pairs,
    get signal() {
      if (controller === null) {
        controller = new AbortController();
        if (origin.signal.aborted || isGivenBack) abort();
        else if (settling === null) origin.signal.addEventListener("abort", abort);
      }
      return controller.signal;
    },
    ack: () => first(() => broker.ack(), true),
    retry: (options) => {
      const afterMs = options?.afterMs ?? retryBackoff(attempt);
      return first(() => broker.retry(Math.max(afterMs, 0) || 0), false);
    },
    reject: (reason, options = {}) => first(() => broker.reject(reason, options), broker.isRejectedAgain !== true),
    giveBack: () => {
      if (settling !== null) return settling;
      isGivenBack = true;
      const given = first(() => broker.giveBack(), false);
      controller?.abort();
      return given;
    },
    ...read,
  };
}
