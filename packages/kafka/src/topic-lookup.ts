import type { KafkaBaseClient, KafkaTopic } from "./client.js";
import { errorNames, isHopeless, isMissingTopic } from "./client-error.js";

/** A topic that was there is taken for missing when the servers said so as often as this in a row: about 5 s. */
const MISSING_LIMIT = 20;

/** What waiting does not help with. Its cause is the client's error. */
export class HopelessError extends Error {}

/**
 * Finds a topic with a client; none is created.
 *
 * @throws HopelessError when the topic does not exist or may not be used; the client's error when another try may help
 */
export type TopicLookup = (client: KafkaBaseClient) => Promise<KafkaTopic>;

/** Makes a lookup, which knows whether the topic was ever there. */
export function createTopicLookup(topic: string): TopicLookup {
  let isFound = false;
  let timesMissing = 0;
  return async (client) => {
    try {
      const found = (await client.metadata({ topics: [topic], autocreateTopics: false })).topics.get(topic);
      if (found === undefined || found.partitionsCount === 0) throw new Error("the topic has no partitions");
      isFound = true;
      timesMissing = 0;
      return found;
    } catch (error) {
      const isMissing = isMissingTopic(error) && ++timesMissing > (isFound ? MISSING_LIMIT : 0);
      if (!isMissing && !isHopeless(error)) throw error;
      throw new HopelessError(isMissing ? "it does not exist" : [...errorNames(error)].join(", "), { cause: error });
    }
  };
}
