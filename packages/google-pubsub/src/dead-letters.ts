import {
  DEAD_LETTER_NAMES,
  type DeadDelivery,
  type DeliveryOrigin,
  deadLetterOf,
  type MetadataPair,
  type RejectOptions,
} from "@sinkwire/delivery";
import { pairsLength, utf8Length } from "@sinkwire/delivery/adapter";
import { CALL_TIMEOUT_MS, type PubsubPublisherClient } from "./client.js";
import { PUBSUB_LIMITS } from "./limits.js";
import { nameOption } from "./names.js";
import { publishErrorOf } from "./publish-error.js";

const WHY: ReadonlySet<string> = new Set(Object.values(DEAD_LETTER_NAMES));

/** How the names begin that only the service may write. */
const RESERVED = /^goog/i;

/** Where rejected messages go. */
export interface PubsubDeadLetters {
  /** A `v1.PublisherClient`; it stays open. */
  readonly client: PubsubPublisherClient;
  /** The topic's full name. It has to exist; none is created. */
  readonly topic: string;
}

/**
 * Publishes a dead letter, with the ordering key of its delivery; resolves when the service has taken it.
 *
 * @throws PublishError or the client's own error
 */
export type PublishDeadLetter = (
  delivery: DeadDelivery & Pick<DeliveryOrigin, "key">,
  reason: string,
  options: RejectOptions,
) => Promise<void>;

/**
 * Checks where dead letters go.
 *
 * @throws InvalidHookError (`deadLetters`) for a name that cannot be used
 */
export function deadLetterPublisher({ client, topic: name }: PubsubDeadLetters): PublishDeadLetter {
  const topic = nameOption(name, "topic", "deadLetters");
  return async (delivery, reason, options) => {
    const { bytes, pairs } = deadLetterOf(delivery, reason, options);
    const data = bytes ?? new Uint8Array();
    const key = delivery.key ?? "";
    const attributes = attributesWithin(pairs, PUBSUB_LIMITS.maxBytes - data.length - utf8Length(key));
    const message = { data, attributes, ...(key === "" ? {} : { orderingKey: key }) };
    try {
      await client.initialize();
      const call = { timeout: CALL_TIMEOUT_MS, retry: null, isBundling: false };
      await client.publish({ topic, messages: [message] }, call);
    } catch (error) {
      throw publishErrorOf(error, topic) ?? error;
    }
  };
}

/** What says why it is dead comes first: a letter that is refused for its size would come again for ever. */
function attributesWithin(pairs: readonly MetadataPair[], room: number): { [name: string]: string } {
  let left = room;
  const inOrder = [...pairs.filter(([name]) => WHY.has(name)), ...pairs.filter(([name]) => !WHY.has(name))];
  const kept = inOrder.flatMap(([name, bytes]): [string, string][] => {
    const value = bytes.toString();
    const size = pairsLength([[name, value]]);
    if (RESERVED.test(name) || size > left) return [];
    left -= size;
    return [[name, value]];
  });
  return Object.fromEntries(kept);
}
