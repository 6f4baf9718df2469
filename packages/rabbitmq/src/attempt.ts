import type { ReceivedRabbitmqMessage } from "./client.js";

/**
 * Which attempt a delivery is. A quorum queue counts those that failed before in `x-delivery-count`; another queue says
 * only whether there was one.
 *
 * @returns from 1; null for a later attempt that was not counted
 */
export function attemptOf({ fields, properties }: ReceivedRabbitmqMessage): number | null {
  if (!fields.redelivered) return 1;
  const count = properties.headers?.["x-delivery-count"];
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count + 1 : null;
}
