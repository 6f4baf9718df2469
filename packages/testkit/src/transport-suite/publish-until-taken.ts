import type { Publisher, PublishOutcome, Receipt } from "@sinkwire/delivery";
import type { EncodedMessage } from "@sinkwire/message";
import { waitUntil } from "../brokers/index.js";

/** A publish that was repeated until the broker took the message. */
export interface Taken {
  readonly receipt: Receipt;
  /** What the failed tries before said. */
  readonly outcomes: readonly (PublishOutcome | undefined)[];
}

/** Publishes until it succeeds, at most for two minutes. */
export async function publishUntilTaken(publisher: Publisher, message: EncodedMessage): Promise<Taken> {
  const outcomes: (PublishOutcome | undefined)[] = [];
  const attempt = async (): Promise<Receipt> => {
    try {
      return await publisher.publish(message);
    } catch (error) {
      outcomes.push((error as { outcome?: PublishOutcome }).outcome);
      throw error;
    }
  };
  return { receipt: await waitUntil(attempt, { limitMs: 120_000 }), outcomes };
}
