import { BROKER_NAMES } from "./kinds/index.js";
import { startBroker } from "./start-broker.js";
import type { BrokerName, WaitOptions } from "./types.js";

/** What a report says of one server. */
export interface BrokerReport {
  readonly name: BrokerName;
  /** Product and version that really ran; null when it did not. */
  readonly version: string | null;
  /** From the start of its process until it answered; null when it did not run or was reached by its URL variable. */
  readonly startedInMs: number | null;
  /** Why it did not run; null when it did. */
  readonly reason: string | null;
}

/**
 * Starts and stops every server in turn, and tells which version ran or why none did. Never rejects for a server that
 * cannot be had.
 */
export async function brokerVersions(options: WaitOptions = {}): Promise<BrokerReport[]> {
  const reports: BrokerReport[] = [];
  for (const name of BROKER_NAMES) {
    try {
      const broker = await startBroker(name, options);
      await broker.stop();
      reports.push({ name, version: broker.version, startedInMs: broker.startedInMs, reason: null });
    } catch (error) {
      options.signal?.throwIfAborted();
      reports.push({ name, version: null, startedInMs: null, reason: (error as Error).message });
    }
  }
  return reports;
}
