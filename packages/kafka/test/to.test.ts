import { expect, test } from "vitest";
import { expectLimit } from "../../delivery/test/expect-limit.js";
import { KAFKA_LIMITS, toKafka } from "../src/index.js";

test("the default limit is Kafka's", () => expectLimit(KAFKA_LIMITS.maxBytes, toKafka));

test("a record has no timestamp at all when none is sent", () => {
  const hook = { id: "evt_1", source_id: "orders", received_at: -1, body: Buffer.of() };
  expect(Object.keys(toKafka(hook))).not.toContain("timestamp");
  expect(toKafka({ ...hook, received_at: 1 }).timestamp).toBe(1n);
});
