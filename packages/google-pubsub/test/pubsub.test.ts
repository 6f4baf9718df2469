import { type Message, protos, type Topic } from "@google-cloud/pubsub";
import type { DeliveryRead } from "@sinkwire/delivery";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectLimit } from "../../delivery/test/expect-limit.js";
import { expectReader, unreadable } from "../../delivery/test/expect-reader.js";
import { context, hook } from "../../message/test/arbitraries.js";
import { type FromPubsubOptions, fromPubsub, PUBSUB_LIMITS, toPubsub } from "../src/index.js";

const { PubsubMessage } = protos.google.pubsub.v1;
const given = { id: "evt_1", source_id: "orders", tenant_id: "acme", received_at: 0, body: Buffer.from("body") };
const { data, attributes } = toPubsub(given, { replay_id: "r-1" });
const base64 = data.toString("base64");

test("the default limit is that of Pub/Sub", () => expectLimit(PUBSUB_LIMITS.maxBytes, toPubsub));

describe("the client", () => {
  test("publishes a message as it is", () => {
    const published: unknown[] = [];
    const publishMessage = ((message: unknown) => Promise.resolve(published.push(message))) as never;
    const topic: Pick<Topic, "publishMessage"> = { publishMessage };
    const message = toPubsub(given, { ordering_key: "k" });
    void topic.publishMessage(message);
    expect(published).toEqual([message]);
  });

  test("writes any hook to the wire and reads it back, nothing else beside it", () => {
    fc.assert(
      fc.property(hook, context, (given, publish) => {
        const message = toPubsub(given, publish, { orderingKey: "k" });
        const received = PubsubMessage.decode(PubsubMessage.encode(PubsubMessage.fromObject(message)).finish());
        expect(Buffer.from(received.data as Uint8Array)).toEqual(message.data);
        expect({ ...received.attributes }).toEqual(message.attributes);
        expect(received.orderingKey).toBe(message.orderingKey);
        expect(fromPubsub(received)).toMatchObject({
          kind: "message",
          message: { id: given.id },
          metadata: { problems: [] },
        });
      }),
    );
  });

  test("has the shape that a subscriber gets", () => {
    const read: (message: Message) => DeliveryRead = fromPubsub;
    expect(read({ data, attributes } as unknown as Message).kind).toBe("message");
  });
});

const shapes: readonly [string, Parameters<typeof fromPubsub>[0], FromPubsubOptions?][] = [
  ["a pulled message", { data, attributes }],
  ["a message of the REST API", { data: base64, attributes }],
  ["a push request", { message: { data: base64, attributes }, subscription: "s" } as never, { envelope: "push" }],
  ["the data of a function's event", { message: { data: base64, attributes } }, { envelope: "push" }],
];

describe("fromPubsub", () => {
  test.for(shapes)("reads %s", ([, received, options]) => {
    expect(fromPubsub(received, options)).toMatchObject({
      kind: "message",
      message: { id: "evt_1" },
      metadata: { id: "evt_1", source_id: "orders", tenant_id: "acme", replay_id: "r-1", problems: [] },
      bytes: data,
    });
  });

  test("unwraps nothing unasked, and loses nothing either", () => {
    const push = { message: { data: base64, attributes } };
    for (const [received, options, lacking] of [
      [push, {}, "data"],
      [{ data, attributes }, { envelope: "push" }, "message"],
      [JSON.stringify(push), { envelope: "push" }, "message"],
      [{ message: null }, { envelope: "push" }, "data"],
      [{ message: {} }, { envelope: "push" }, "data"],
    ] as const) {
      const read = fromPubsub(received as never, options);
      expect(read).toMatchObject({ kind: "invalid", error: { code: "invalid_json" } });
      expect(read.kind === "invalid" && read.error.message).toContain(`has no "${lacking}"`);
      if (typeof received === "string") expect(read).toMatchObject({ bytes: Buffer.from(received) });
    }
  });

  test("a push request whose data is null is a tombstone", () =>
    expect(fromPubsub({ message: { data: null, attributes } }, { envelope: "push" })).toMatchObject({
      kind: "tombstone",
      metadata: { id: "evt_1" },
    }));

  test("reads whatever was delivered, and refuses options that cannot be used", () =>
    expectReader(fromPubsub, {
      ...{ record: { data, attributes }, body: "data", none: [null, "x", { attributes }] },
      unusable: ["pull", "", true].map((envelope) => ["envelope", { envelope }] as const),
    }));

  test("attributes that cannot be read are no metadata", () => {
    const received = Object.defineProperty({ data }, "attributes", { get: unreadable });
    expect(fromPubsub(received)).toMatchObject({ kind: "message", metadata: { id: null } });
  });

  test("reads a message without attributes, and the metadata of what has no data", () => {
    expect(fromPubsub({ data, attributes: null })).toMatchObject({ kind: "message", metadata: { id: null } });
    expect(fromPubsub({ attributes })).toMatchObject({ kind: "invalid", metadata: { id: "evt_1" } });
  });

  test.for([`${base64.slice(0, -1)}*`, "{}", "-", data.toString()])("data that is not base64 is invalid", (text) => {
    expect(fromPubsub({ data: text })).toMatchObject({
      ...{ kind: "invalid", error: { code: "invalid_json" }, bytes: Buffer.from(text) },
    });
  });

  test("attributes of another hook refuse the message", () => {
    expect(fromPubsub({ data, attributes: { ...attributes, ankusa_id: "evt_2" } })).toMatchObject({
      kind: "invalid",
      error: { code: "metadata_mismatch", field: "id" },
    });
  });
});
