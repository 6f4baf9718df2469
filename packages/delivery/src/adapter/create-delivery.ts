import type { Delivery, DeliveryOrigin, RejectOptions } from "../delivery.js";
import { firstVerb } from "../first-verb.js";
import type { DeliveryRead } from "../read-delivery.js";
import { retryBackoff } from "../retry-backoff.js";

/** What a transport does for each verb. At most one of them is called, once, and never after the signal aborted. */
export interface BrokerVerbs {
  ack(): Promise<void>;
  /** @param afterMs - not before so many milliseconds; at least 0 */
  retry(afterMs: number): Promise<void>;
  reject(reason: string, options: RejectOptions): Promise<void>;
  giveBack(): Promise<void>;
  /** Called when the verb that was taken has settled, well or not: the place to end a lease and to free a slot. */
  settled?(): void;
}

/**
 * Makes a delivery of what was read: exactly one verb takes effect, and a retry without a time gets the default one.
 *
 * @param read - what was read
 * @param origin - where it came from; abort its signal when the broker takes the delivery back
 * @param broker - what the verbs do
 */
export function createDelivery(read: DeliveryRead, origin: DeliveryOrigin, broker: BrokerVerbs): Delivery {
  const settling = (verb: Promise<void>): Promise<void> => verb.finally(() => broker.settled?.());
  const { verbs } = firstVerb(
    {
      ack: () => settling(broker.ack()),
      retry: (options) => settling(broker.retry(Math.max(options?.afterMs ?? retryBackoff(origin.attempt), 0) || 0)),
      reject: (reason, options = {}) => settling(broker.reject(reason, options)),
      giveBack: () => settling(broker.giveBack()),
    },
    origin.signal,
  );
  return { ...read, ...origin, ...verbs };
}
