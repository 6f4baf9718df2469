import type { ReadOptions } from "@sinkwire/delivery";
import { createPubsubConsumer } from "@sinkwire/google-pubsub";
import { createKafkaConsumer } from "@sinkwire/kafka";
import { createNatsConsumer } from "@sinkwire/nats";
import { createRabbitmqConsumer } from "@sinkwire/rabbitmq";
import { createRedisConsumer } from "@sinkwire/redis";
import { createSqsConsumer } from "@sinkwire/sqs";
import { describe, expect, test } from "vitest";

/** No client is asked for anything before the options are checked. */
const none = {} as never;
const subscription = "projects/p/subscriptions/s";

const CONSUMERS: Readonly<Record<string, (options: ReadOptions) => unknown>> = {
  kafka: (options) =>
    createKafkaConsumer({ kafka: none, client: none, topic: "t", group: "g", deadLetterTopic: null, ...options }),
  nats: (options) => createNatsConsumer({ connection: none, jetstream: none, stream: "s", consumer: "c", ...options }),
  rabbitmq: (options) => createRabbitmqConsumer({ connection: none, queue: "q", ...options }),
  redis: (options) =>
    createRedisConsumer({ client: none, stream: "s", group: "g", deadLetterStream: null, ...options }),
  sqs: (options) =>
    createSqsConsumer({ client: none, commands: none, queueUrl: "https://q", deadLetterQueueUrl: null, ...options }),
  "google-pubsub": (options) => createPubsubConsumer({ client: none, subscription, deadLetters: null, ...options }),
};

describe.for(Object.entries(CONSUMERS))("a consumer of %s", ([, create]) => {
  test.for([
    ["max_bytes", { maxBytes: -1 }],
    ["metadata", { metadata: "trust" as never }],
  ] as const)("refuses an unusable %s when it is made, not at the first message", ([field, options]) => {
    expect(() => create(options)).toThrow(expect.objectContaining({ code: "invalid_hook", field }));
  });
});
