import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectLimit } from "../../delivery/test/expect-limit.js";
import { expectReader, unreadable } from "../../delivery/test/expect-reader.js";
import { context, hook } from "../../message/test/arbitraries.js";
import {
  type FromSqsOptions,
  fromSqs,
  type ReceivedSqsMessage,
  SQS_LIMITS,
  type SqsRecord,
  toSqs,
} from "../src/index.js";

const queueUrl = "https://sqs.eu-west-1.amazonaws.com/123456789012/hooks";
const given = { id: "evt_1", source_id: "orders", tenant_id: "acme", received_at: 0, body: Buffer.from("body") };
const { MessageBody: body, MessageAttributes: attributes } = toSqs(given, { replay_id: "r-1" }, { queueUrl });
const attributesOf = (write: (text: string) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(attributes).map(([name, { StringValue }]) => [name, write(StringValue)]));

test("the default limit is that of SQS", () =>
  expectLimit(SQS_LIMITS.maxBytes, (hook, context, sizes) => toSqs(hook, context, { ...sizes, queueUrl })));

const sns = JSON.stringify({
  ...{ Type: "Notification", MessageId: "n-1", TopicArn: "arn:aws:sns:eu-west-1:123456789012:hooks", Message: body },
  MessageAttributes: attributesOf((Value) => ({ Type: "String", Value })),
});
const eventBridge = `{"version":"0","id":"e-1","detail-type":"hook","source":"hooks","detail": ${body} }`;
const full = { id: "evt_1", source_id: "orders", tenant_id: "acme", replay_id: "r-1", problems: [] };
const none = { id: null, problems: [] };

const shapes: readonly [string, ReceivedSqsMessage | SqsRecord, FromSqsOptions, object][] = [
  ["an SDK message", { Body: body, MessageAttributes: attributes }, {}, full],
  ["an SDK message whose attributes were not asked for", { Body: body }, {}, none],
  [
    "a record of a function trigger",
    {
      body,
      messageAttributes: attributesOf((stringValue) => ({
        ...{ stringValue, dataType: "String", stringListValues: [], binaryListValues: [] },
      })),
    },
    {},
    full,
  ],
  ["an SNS notification", { Body: sns }, { envelope: "sns" }, full],
  ["an SNS notification of a function trigger", { body: sns }, { envelope: "sns" }, full],
  ["an EventBridge event", { Body: eventBridge }, { envelope: "eventbridge" }, none],
  ["a raw delivery where SNS was asked for", { Body: body, MessageAttributes: attributes }, { envelope: "sns" }, full],
  ["a raw delivery where EventBridge was asked for", { Body: body }, { envelope: "eventbridge" }, none],
];

describe("fromSqs", () => {
  test.for(shapes)("reads %s", ([, message, options, metadata]) => {
    const read = fromSqs(message, options);
    expect(read).toMatchObject({ kind: "message", message: { id: "evt_1" }, metadata });
    expect(read.kind === "message" && Buffer.from(read.bytes).toString()).toBe(body);
  });

  test("unwraps nothing unasked", () => {
    for (const Body of [sns, eventBridge]) {
      expect(fromSqs({ Body })).toMatchObject({ kind: "invalid", error: { code: "unsupported_version" } });
    }
  });

  test("what an envelope holds is read as strictly as if it had come alone", () => {
    const twice = body.replace('"id":', '"id":"evt_2","id":');
    const wrapped = [
      [{ Body: sns.replace(JSON.stringify(body), JSON.stringify(twice)) }, "sns"],
      [{ Body: eventBridge.replace(body, twice) }, "eventbridge"],
    ] as const;
    for (const [message, envelope] of wrapped) {
      expect(message.Body).toContain("evt_2");
      expect(fromSqs(message, { envelope })).toMatchObject({ kind: "invalid", error: { code: "invalid_json" } });
    }
  });

  test.for<readonly [string, string]>([
    ["a member twice", '{"Message":"{}","Type"'],
    ["a member twice, deeper", '{"x":[{"a":1,"\\u0061":2}],"Type"'],
    ["an attribute twice", '{"MessageAttributes":{"ankusa_id":{},"ankusa_id":{}},"Type"'],
    ["half of a surrogate pair", '{"x":["\\ud800"],"Type"'],
    ["65 levels", `{"x":${"[".repeat(64)}${"]".repeat(64)},"Type"`],
  ])("an envelope with %s is invalid, as a message would be", ([, altered]) => {
    const eventType = altered.replace('"Type"', '"version"').replace("Message", "detail");
    for (const [Body, envelope] of [
      [sns.replace('{"Type"', altered), "sns"],
      [eventBridge.replace('{"version"', eventType), "eventbridge"],
    ] as const) {
      expect(fromSqs({ Body }, { envelope })).toMatchObject({
        ...{ kind: "invalid", error: { code: "invalid_json" }, bytes: Buffer.from(Body) },
      });
    }
  });

  test("an envelope of 64 levels is opened", () => {
    const Body = sns.replace('{"Type"', `{"x":${"[".repeat(63)}${"]".repeat(63)},"Type"`);
    expect(fromSqs({ Body }, { envelope: "sns" })).toMatchObject({ kind: "message" });
  });

  test("attributes of another hook refuse the message, inside an envelope too", () => {
    const mismatch = { kind: "invalid", error: { code: "metadata_mismatch", field: "source_id" } };
    const other = { ...attributes, ankusa_source_id: { DataType: "String", StringValue: "other" } };
    expect(fromSqs({ Body: body, MessageAttributes: other })).toMatchObject(mismatch);
    const Body = sns.replace('"Value":"orders"', '"Value":"other"');
    expect(fromSqs({ Body }, { envelope: "sns" })).toMatchObject(mismatch);
  });

  test("reads whatever was delivered, and refuses options that cannot be used", () => {
    const unusable = ["SNS", "", true].map((envelope) => ["envelope", { envelope }] as const);
    expectReader(fromSqs, { record: { Body: body }, body: "Body", none: [null, "x", { MessageId: "m-1" }], unusable });
    expect(fromSqs({ body: null } as never, { envelope: "sns" }).kind).toBe("tombstone");
    expect(fromSqs({ Body: body }, { envelope: null }).kind).toBe("message");
  });

  test("attributes that cannot be read are no metadata", () => {
    const message = Object.defineProperty({ Body: body }, "MessageAttributes", { get: unreadable });
    expect(fromSqs(message)).toMatchObject({ kind: "message", metadata: { id: null } });
  });

  test.for([
    ...["", "x", "[]", "null", "\ud800", '{"Type":"Notification"}', '{"detail":{}}'],
    ...["null", "5", "{}", '["x"]'].map((message) => `{"Type":"Notification","Message":${message}}`),
    ...["null", "5", '"x"', "[]"].map((detail) => `{"detail-type":"hook","detail":${detail}}`),
  ])("the body %s is invalid under any envelope, and kept", (Body) => {
    for (const envelope of [undefined, "sns", "eventbridge"] as const) {
      expect(fromSqs({ Body }, { envelope })).toMatchObject({ kind: "invalid", bytes: Buffer.from(Body) });
    }
  });
});

describe("any hook", () => {
  test("comes back, its entry within what SQS takes", () => {
    const carried = /^[!-~]{1,128}$/;
    const reserved = fc.integer({ min: 0, max: SQS_LIMITS.reservedAttributes });
    fc.assert(
      fc.property(hook, context, reserved, (given, publish, reservedAttributes) => {
        const entry = toSqs(given, publish, { queueUrl: `${queueUrl}.fifo`, reservedAttributes });
        expect(entry.MessageGroupId).toMatch(carried);
        expect(entry.MessageDeduplicationId).toMatch(carried);
        const values = Object.values(entry.MessageAttributes).map(({ StringValue }) => StringValue);
        expect(values.length).toBeLessThanOrEqual(SQS_LIMITS.attributes - reservedAttributes);
        expect(values).not.toContain("");
        for (const text of [entry.MessageBody, ...values]) {
          expect(text).toMatch(/^[\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u);
        }
        const read = fromSqs({ Body: entry.MessageBody, MessageAttributes: entry.MessageAttributes });
        expect(read).toMatchObject({ kind: "message", message: { id: given.id }, metadata: { problems: [] } });
      }),
    );
  });
});
