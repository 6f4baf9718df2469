import type { v1 } from "@google-cloud/pubsub";
import { PublishError } from "@sinkwire/delivery";
import { encodeMessage } from "@sinkwire/message";
import { describe, expect, test } from "vitest";
import {
  createPubsubConsumer,
  createPubsubPublisher,
  type PubsubConsumerOptions,
  type PubsubPublisherClient,
  type PubsubPublisherOptions,
  type PubsubSubscriberClient,
} from "../src/index.js";

/** What must not be called. */
const publishing = {} as v1.PublisherClient satisfies PubsubPublisherClient;
const subscribing = {} as v1.SubscriberClient satisfies PubsubSubscriberClient;
const topic = "projects/p/topics/t";
const subscription = "projects/p/subscriptions/s";

describe("a publisher refuses", () => {
  test.for([
    ["topic", { topic: "t" }],
    ["topic", { topic: "projects/p/subscriptions/t" }],
    ["topic", { topic: "projects/p/topics/a/b" }],
    ["topic", { topic: `projects/p/topics/${"t".repeat(255)}` }],
    ["topic", { topic: undefined }],
    ["orderingKey", { orderingKey: 1 }],
    ["orderingKey", { orderingKey: "\ud800" }],
    ["maxBytes", { maxBytes: 0 }],
    ["timeoutMs", { timeoutMs: 1.5 }],
    ["maxMessages", { inFlight: { maxMessages: 0 } }],
  ] as const)("%s: %j", ([field, options]) => {
    const all = { client: publishing, topic, ...options } as PubsubPublisherOptions;
    expect(() => createPubsubPublisher(all)).toThrow(expect.objectContaining({ code: "invalid_hook", field }));
  });

  test("a message over its limit, by the count of Pub/Sub, before the client is asked", async () => {
    const encoded = encodeMessage({ id: "evt_1", source_id: "orders", received_at: 0, body: Buffer.from("body") });
    const attributes = ["ankusa_id", "evt_1", "ankusa_source_id", "orders", "ankusa_message_version", "1"];
    attributes.push("ankusa_idempotency_key", "evt_1", "content_type", "application/json");
    const counted = encoded.bytes.length + attributes.join("").length + "key".length;
    const publish = (maxBytes: number): Promise<unknown> =>
      createPubsubPublisher({ client: publishing, topic, orderingKey: "key", maxBytes }).publish(encoded);
    await expect(publish(counted - 1)).rejects.toMatchObject({
      ...{ code: "publish_rejected", outcome: "not_published", retryable: false },
      cause: { code: "message_too_large", size: counted, limit: counted - 1 },
    });
    // One byte more, and the client is asked, which here is none.
    const failure = await publish(counted).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PublishError);
    expect(failure).toMatchObject({ code: "publish_failed", outcome: "not_published" });
  });
});

describe("a consumer refuses", () => {
  test.for([
    ["subscription", { subscription: "s" }],
    ["subscription", { subscription: topic }],
    ["deadLetters", { deadLetters: { client: publishing, topic: "dead" } }],
    ["prefetch", { prefetch: 0 }],
    ["prefetchBytes", { prefetchBytes: -1 }],
    ["streams", { streams: 0 }],
    ["ackDeadlineMs", { ackDeadlineMs: 9_999 }],
    ["ackDeadlineMs", { ackDeadlineMs: 600_001 }],
  ] as const)("%s: %j", ([field, options]) => {
    const all = { client: subscribing, subscription, deadLetters: null, ...options } as PubsubConsumerOptions;
    expect(() => createPubsubConsumer(all)).toThrow(expect.objectContaining({ code: "invalid_hook", field }));
  });
});
