import { deadLetterOf } from "@sinkwire/delivery";
import { expect, test } from "vitest";
import { deadLetterEntry } from "../src/dead-letter-entry.js";
import { SQS_LIMITS } from "../src/index.js";
import { attributePairs, type Received, receivedOf } from "../src/received.js";

const to = { queueUrl: "https://sqs.eu-west-1.amazonaws.com/123456789012/dead", from: "https://sqs.example/hooks" };
const text = (StringValue: string) => ({ DataType: "String", StringValue });

function received(MessageAttributes: Record<string, object>, Body = "no message"): Received {
  const message = { MessageId: "m-1", ReceiptHandle: "h", Body, MessageAttributes };
  return receivedOf({ ...message, Attributes: { ApproximateReceiveCount: "3", MessageGroupId: "g" } }) as Received;
}

const entryOf = (from: Received, queueUrl = to.queueUrl) => {
  const dead = { attempt: from.attempt, address: to.from, pairs: attributePairs(from.attributes) };
  return deadLetterEntry(from, deadLetterOf(dead, "no use", { code: "x", atMs: 5 }), { ...to, queueUrl });
};

const added = {
  sinkwire_dead_reason: text("no use"),
  sinkwire_dead_code: text("x"),
  sinkwire_dead_attempt: text("3"),
  sinkwire_dead_at_ms: text("5"),
  sinkwire_dead_address: text(to.from),
};

test("it keeps the body, and the attributes with their types", () => {
  const own = {
    ankusa_id: text("evt_1"),
    count: { DataType: "Number.int", StringValue: "5" },
    raw: { DataType: "Binary", BinaryValue: Buffer.from([0xff]) },
  };
  expect(entryOf(received(own))).toEqual({
    ...{ QueueUrl: to.queueUrl, MessageBody: "no message", MessageAttributes: { ...added, ...own } },
  });
});

test("of more than ten attributes it keeps those that say which hook it is, then the first others", () => {
  const names = ["one", "two", "ankusa_tenant_id", "ankusa_id", "ankusa_source_id", "ankusa_idempotency_key", "three"];
  const own = Object.fromEntries(names.map((name) => [name, text(name)]));
  const kept = Object.keys(entryOf(received(own)).MessageAttributes);
  expect(kept).toHaveLength(SQS_LIMITS.attributes);
  expect(kept.slice(5)).toEqual(["ankusa_id", "ankusa_source_id", "ankusa_tenant_id", "ankusa_idempotency_key", "one"]);
});

test("a second rejection replaces what the first said", () => {
  const once = entryOf(received({ ankusa_id: text("evt_1") }));
  expect(entryOf(received(once.MessageAttributes as Record<string, object>))).toEqual(once);
});

test.for([0, 60])("it is within the limit with a body that leaves %i bytes", (left) => {
  const body = "x".repeat(SQS_LIMITS.maxBytes - left);
  const { MessageBody, MessageAttributes } = entryOf(received({ ankusa_id: text("evt_1") }, body));
  expect(MessageBody).toBe(body);
  expect(Object.keys(MessageAttributes)).toEqual(left === 0 ? [] : ["sinkwire_dead_reason", "sinkwire_dead_code"]);
});

test("to a FIFO queue it goes in its group, once for each message", () => {
  const { MessageGroupId, MessageDeduplicationId } = entryOf(received({}), `${to.queueUrl}.fifo`);
  expect([MessageGroupId, MessageDeduplicationId]).toEqual(["g", "m-1"]);
});

test("what is no attribute is left out, and what has no handle is no message", () => {
  const strange = { a: null, b: 5, c: { DataType: "String" }, d: { StringValue: "x" }, e: text("") };
  expect(received(strange as never).attributes).toEqual([]);
  expect([null, "x", {}, { ReceiptHandle: 5 }].map(receivedOf)).toEqual([null, null, null, null]);
});
