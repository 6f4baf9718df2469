import type { Publisher, Receipt } from "@sinkwire/delivery";
import {
  type PublisherLimits,
  publishable,
  publisherLimits,
  publishWithin,
  textOption,
} from "@sinkwire/delivery/adapter";
import { headersSet } from "@sinkwire/message";
import type { KafkaClient, KafkaClientOptions } from "./client.js";
import { KAFKA_LIMITS } from "./limits.js";
import { createSender } from "./sender.js";
import { recordKey, recordTime } from "./to.js";
import { topicOption } from "./topic-option.js";

/** How to publish to Kafka. */
export interface KafkaPublisherOptions extends PublisherLimits {
  /** The client's classes. The publisher makes a producer of its own, and closes it. */
  readonly kafka: Pick<KafkaClient, "Producer">;
  /** How to reach the servers. */
  readonly client: KafkaClientOptions;
  /** It has to exist; none is created. */
  readonly topic: string;
  /** Record key of a message without an ordering key: as in `toKafka`. */
  readonly key?: string | undefined;
}

/**
 * Publishes to a topic. A message is published when all in-sync replicas have it.
 *
 * Messages of one partition are stored in the order of the calls, each once, also when servers restart: what they did not
 * confirm is sent again, with the same sequence numbers and before what came after it.
 *
 * @param options - client, topic, limits
 * @throws InvalidHookError for an option that cannot be used, before anything is sent
 */
export function createKafkaPublisher(options: KafkaPublisherOptions): Publisher {
  const topic = topicOption(options.topic, "topic");
  const keyOption = textOption(options.key, "key");
  const { timeoutMs, inFlight, checkSize } = publisherLimits(options, KAFKA_LIMITS.maxBytes);
  const sender = createSender(options.kafka, options.client, topic);
  /** The calls that have no answer yet. What they wrote may stay unconfirmed for longer. */
  const calls = new Set<Promise<Receipt>>();

  return {
    async publish(given, { signal } = {}) {
      const { message, body } = publishable(given);
      const key = Buffer.from(recordKey(message, message, keyOption));
      const bytes = body.length + key.length;
      checkSize(bytes);
      const record = {
        key,
        value: body,
        headers: headersSet(message, message).map(([name, value]) => [Buffer.from(name), Buffer.from(value)] as const),
        timestamp: recordTime(message, message) ?? undefined,
      };
      const call = publishWithin(
        async (written, waiting) => {
          const { partition, offset } = await sender.send(record, { written, call: waiting });
          return { address: topic, id: `${partition}:${offset}`, duplicate: false };
        },
        { inFlight, bytes, timeoutMs, signal },
      );
      calls.add(call);
      try {
        return await call;
      } finally {
        calls.delete(call);
      }
    },
    async close() {
      await Promise.allSettled(calls);
      await sender.close();
    },
  };
}
