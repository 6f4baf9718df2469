import type { BrokerName } from "./types.js";

/** A broker that cannot be had on this machine; the message says why. */
export class BrokerUnavailableError extends Error {
  readonly broker: BrokerName;

  constructor(broker: BrokerName, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = new.target.name;
    this.broker = broker;
  }
}
