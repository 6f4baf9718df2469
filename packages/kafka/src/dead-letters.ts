import type { MetadataPair } from "@sinkwire/delivery";
import { createInFlight, property, publishWithin } from "@sinkwire/delivery/adapter";
import type { KafkaClient, KafkaClientOptions } from "./client.js";
import { createSender } from "./sender.js";

/** A dead letter and the record that it was made of. */
export interface DeadRecord {
  readonly key: Buffer | null;
  readonly value: Uint8Array | null;
  /** The dead letter's metadata: the record's, and why it was rejected. */
  readonly pairs: readonly MetadataPair[];
  /** The record's own metadata. */
  readonly ownPairs: readonly MetadataPair[];
}

/** Writes dead letters to a topic. */
export interface DeadLetters {
  /**
   * Writes one. It keeps the record's key. Where the topic does not take it with the reasons, it goes without them.
   *
   * @throws PublishError: `publish_rejected` when the topic does not take the record as it is either
   */
  send(record: DeadRecord): Promise<void>;
  /** @throws HopelessError when the topic does not exist or may not be used; the client's error when that is not known */
  check(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Makes the writer.
 *
 * @param topic - it has to exist; none is created
 */
export function createDeadLetters(
  kafka: Pick<KafkaClient, "Producer">,
  options: KafkaClientOptions,
  topic: string,
): DeadLetters {
  const sender = createSender(kafka, options, topic);
  const inFlight = createInFlight();
  const write = async ({ key, value }: DeadRecord, pairs: readonly MetadataPair[]): Promise<void> => {
    const record = {
      key,
      value: value === null ? null : Buffer.from(value.buffer, value.byteOffset, value.byteLength),
      headers: pairs.map(([name, text]) => [Buffer.from(name), Buffer.from(text)] as const),
    };
    await publishWithin(
      async (written, call) => {
        const { partition, offset } = await sender.send(record, { written, call });
        return { address: topic, id: `${partition}:${offset}`, duplicate: false };
      },
      { inFlight, bytes: record.value?.length ?? 0 },
    );
  };
  return {
    async send(record) {
      try {
        await write(record, record.pairs);
      } catch (error) {
        if (property(error, "code") !== "publish_rejected") throw error;
        await write(record, record.ownPairs);
      }
    },
    check: () => sender.check(),
    close: () => sender.close(),
  };
}
