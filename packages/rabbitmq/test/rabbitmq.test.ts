import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { DeliveryRead } from "@sinkwire/delivery";
import type { Channel, ConsumeMessage } from "amqplib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectLimit } from "../../delivery/test/expect-limit.js";
import { expectReader, unreadable } from "../../delivery/test/expect-reader.js";
import { context, hook } from "../../message/test/arbitraries.js";
import { fromRabbitmq, RABBITMQ_LIMITS, type RabbitmqPublish, toRabbitmq } from "../src/index.js";

const require = createRequire(import.meta.url);
/** The client's own encoder of header tables and message properties. */
const { encodeProperties, decode, BasicProperties } = require(
  join(dirname(require.resolve("amqplib")), "lib/defs.js"),
) as {
  BasicProperties: number;
  encodeProperties(id: number, channel: number, size: number, fields: object): Buffer;
  decode(id: number, bytes: Buffer): Record<string, unknown>;
};

/** What the client delivers fits without a cast. */
const readClient: (message: ConsumeMessage) => DeliveryRead = fromRabbitmq;

const exchange = "hooks";
const given = { id: "evt_1", source_id: "orders", tenant_id: "acme", received_at: 0, body: Buffer.from("body") };

/** What amqplib delivers of what amqplib was given: the frame's head, channel, class, weight and size take 19 bytes. */
function deliver({ content, options }: RabbitmqPublish): Parameters<typeof fromRabbitmq>[0] {
  const frame = encodeProperties(BasicProperties, 1, content.length, options);
  return { content, properties: decode(BasicProperties, frame.subarray(19)) };
}

test("the default limit is this package's", () =>
  expectLimit(RABBITMQ_LIMITS.maxBytes, (hook, context, sizes) => toRabbitmq(hook, context, { ...sizes, exchange })));

test("amqplib's publish takes the mapping as it is", () => {
  const sent: unknown[][] = [];
  const publish: Channel["publish"] = (...args) => sent.push(args) > 0;
  const made = toRabbitmq(given, null, { exchange });
  publish(made.exchange, made.routingKey, made.content, made.options);
  expect(sent).toEqual([["hooks", "ankusa.orders", made.content, made.options]]);
});

describe("any hook comes back through amqplib's encoder", () => {
  test("with its properties and metadata", () => {
    fc.assert(
      fc.property(hook, context, (hook, publish) => {
        const made = toRabbitmq(hook, publish, { exchange, routingKey: "r" });
        const delivered = deliver(made);
        const { messageId, ...properties } = made.options;
        const { mandatory, ...kept } = properties;
        expect(mandatory).toBe(true);
        expect(delivered.properties).toMatchObject({ ...kept, messageId: messageId });
        const read = readClient(delivered as unknown as ConsumeMessage);
        expect(read).toMatchObject({
          kind: "message",
          message: { id: hook.id },
          metadata: { id: hook.id, problems: [] },
        });
      }),
    );
  });
});

describe("fromRabbitmq", () => {
  const { content, options } = toRabbitmq(given, null, { exchange });

  test("reads text and Buffers, and marks numbers and tables as unreadable", () => {
    const headers = {
      ...Object.fromEntries(Object.entries(options.headers).map(([name, value]) => [name, Buffer.from(value)])),
      ankusa_message_version: 1,
      traceparent: { "!": "timestamp", value: 5 },
      "x-death": [{ count: 2, reason: "expired", queue: "q" }],
    };
    expect(fromRabbitmq({ content, properties: { headers } })).toMatchObject({
      kind: "message",
      metadata: {
        id: "evt_1",
        problems: [
          { name: "ankusa_message_version", problem: "unreadable" },
          { name: "traceparent", problem: "unreadable" },
        ],
      },
    });
  });

  test("headers of another hook refuse the message", () => {
    expect(
      fromRabbitmq({ content, properties: { headers: { ...options.headers, ankusa_tenant_id: "other" } } }),
    ).toMatchObject({
      kind: "invalid",
      error: { code: "metadata_mismatch", field: "tenant_id" },
      bytes: content,
    });
  });

  test("a body that a client has parsed is invalid, not guessed at", () => {
    const parsed = JSON.parse(content.toString()) as never;
    expect(fromRabbitmq({ content: parsed })).toMatchObject({ kind: "invalid", error: { code: "invalid_json" } });
  });

  test("reads whatever was delivered, and refuses options that cannot be used", () =>
    expectReader(fromRabbitmq, { record: { content, properties: options }, body: "content", none: [null, "x"] }));

  test("headers that cannot be read are no metadata", () => {
    const properties = Object.defineProperty({}, "headers", { get: unreadable });
    expect(fromRabbitmq({ content, properties })).toMatchObject({ kind: "message", metadata: { id: null } });
  });
});
