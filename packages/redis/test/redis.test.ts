import fc from "fast-check";
import type { Redis } from "ioredis";
import type { createClient } from "redis";
import { describe, expect, test } from "vitest";
import { expectLimit } from "../../delivery/test/expect-limit.js";
import { expectReader } from "../../delivery/test/expect-reader.js";
import { context, hook } from "../../message/test/arbitraries.js";
import { type DeliveredRedisEntry, fromRedis, REDIS_FIELD, REDIS_LIMITS, toRedis } from "../src/index.js";

const { payload, fields } = toRedis({ id: "evt_1", source_id: "orders", received_at: 0, body: Buffer.from("body") });
const text = payload.toString();

test("the default limit is this package's", () => expectLimit(REDIS_LIMITS.maxBytes, toRedis));

test("both clients take the mapping", () => {
  const commands: unknown[][] = [];
  const record = (...args: unknown[]): Promise<never> => Promise.resolve(commands.push(args) as never);
  const ioredis: Pick<Redis, "xadd" | "publish"> = { xadd: record, publish: record };
  const nodeRedis = { xAdd: record, publish: record } as unknown as Pick<
    ReturnType<typeof createClient>,
    "xAdd" | "publish"
  >;
  void ioredis.xadd("hooks", "*", REDIS_FIELD, payload);
  void ioredis.publish("hooks", payload);
  void nodeRedis.xAdd("hooks", "*", fields);
  void nodeRedis.publish("hooks", payload);
  expect(commands).toEqual([
    ["hooks", "*", "message", payload],
    ["hooks", payload],
    ["hooks", "*", { message: payload }],
    ["hooks", payload],
  ]);
});

const shapes: readonly [string, DeliveredRedisEntry][] = [
  ["a channel, text", text],
  ["a channel, Buffer", payload],
  ["ioredis, text", ["1-0", ["message", text]]],
  ["ioredis, Buffers", [Buffer.from("1-0"), [Buffer.from("message"), payload]]],
  ["ioredis, among other fields", ["1-0", ["a", "message", "message", text, "b", "c"]]],
  ["ioredis, the field twice", ["1-0", ["message", "{}", "message", text]]],
  ["node-redis", { id: "1-0", message: { message: text } }],
  ["node-redis, Buffers", { id: "1-0", message: { message: payload } }],
  ["node-redis, no prototype", { id: "1-0", message: Object.assign(Object.create(null), { a: "b", message: text }) }],
  ["node-redis, a Map", { id: "1-0", message: new Map([["message", payload]]) }],
  ["node-redis, an array", { id: "1-0", message: ["message", text] }],
];

describe("fromRedis", () => {
  test.for(shapes)("reads %s", ([, entry]) => {
    expect(fromRedis(entry)).toMatchObject({ kind: "message", message: { id: "evt_1" }, bytes: payload });
  });

  test("any hook comes back", () => {
    fc.assert(
      fc.property(hook, context, (given, publish) => {
        const made = toRedis(given, publish);
        expect(made.size).toBe(made.payload.length);
        expect(fromRedis(["1-0", Object.entries(made.fields).flat()])).toMatchObject({ message: { id: given.id } });
        expect(fromRedis({ id: "1-0", message: made.fields })).toMatchObject({ message: { id: given.id } });
      }),
    );
  });

  test.for([null, ["1-0", null], { id: "1-0", message: null }] as const)(
    "the deleted entry %j is a tombstone",
    (entry) => {
      expect(fromRedis(entry).kind).toBe("tombstone");
    },
  );

  test.for([
    ["1-0", ["other", text]],
    ["1-0", ["other", "message"]],
    ["1-0", ["message"]],
    ["1-0", []],
    ["1-0", 5],
    ["1-0", {}],
    ["1-0", new Map([["other", text]])],
  ])("the fields of %j lack the message", (entry) => {
    for (const given of [entry, { id: entry[0], message: entry[1] }]) {
      const read = fromRedis(given as never);
      expect(read).toMatchObject({ kind: "invalid", error: { code: "invalid_json" } });
      expect(read.kind === "invalid" && read.error.message).toContain('"message"');
    }
  });

  test("reads whatever was delivered, and refuses options that cannot be used", () =>
    expectReader(fromRedis, {
      ...{ record: { id: "1-0", message: fields }, body: "message" },
      none: [[["1-0", ["message", text]]], ["1-0"], ["hooks", "1-0", text]],
    }));
});
