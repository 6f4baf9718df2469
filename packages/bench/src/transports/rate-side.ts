import type { Hook } from "@sinkwire/message";
import type { Broker, BrokerName } from "@sinkwire/testkit/brokers";

/** One way to use a broker: this project's, or the client's own. */
export interface RateSide {
  /** Prepares a publish, untimed; what it gives sends the message and waits until the broker has confirmed it. */
  prepare(hook: Hook): () => Promise<unknown>;
  /**
   * Takes messages and acknowledges each.
   *
   * @param count - how many
   * @param read - what the client's own side does with a body; ours always reads it
   * @returns milliseconds from the first message to the last acknowledgement: joining a group is not counted
   */
  consume(count: number, read: (body: Uint8Array) => void): Promise<number>;
  /** Closes its clients. */
  close(): Promise<void>;
}

/** Both sides on one server, each with an address of its own. */
export interface RateSides {
  readonly ours: RateSide;
  readonly bare: RateSide;
}

/** A transport to be measured. */
export interface RatedTransport {
  readonly name: BrokerName;
  /** The client whose rate is the measure, as `@nats-io/jetstream`. */
  readonly client: string;
  /** Messages of a round, as a share of the usual number: less for a server that is slow. */
  readonly share: number;
  open(broker: Broker): Promise<RateSides>;
}
