import type { DeliveryRead, Receipt } from "@sinkwire/delivery";
import type { EncodedMessage } from "@sinkwire/message";

/** What the demo sends its messages through: an in-process queue, or a broker. */
export interface DemoQueue {
  /** Whether metadata travel beside the message. */
  readonly carriesMetadata: boolean;
  /** Publishes one message; its `head` is what the metadata say. */
  publish(message: EncodedMessage): Promise<Pick<Receipt, "duplicate">>;
  /** What was published, in any order, until all of it has been settled after {@link DemoQueue.end}. */
  deliveries(): AsyncIterable<DemoDelivery>;
  /** Says that nothing more will be published. */
  end(): void;
  /** Closes what was opened. */
  close(): Promise<void>;
}

/** What came out of a queue. */
export interface DemoDelivery {
  readonly read: DeliveryRead;
  /** Acknowledges a message, rejects what is none. */
  settle(): Promise<void>;
}
