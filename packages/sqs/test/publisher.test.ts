import * as commands from "@aws-sdk/client-sqs";
import { encodeMessage } from "@sinkwire/message";
import { describe, expect, test } from "vitest";
import { createSqsPublisher } from "../src/index.js";
import { type Answer, type Asked, type ScriptedSqs, scriptedSqs, taken } from "./scripted-sqs.js";

const queueUrl = "https://sqs.eu-west-1.amazonaws.com/123456789012/hooks";
const hookOf = (id: string) => ({
  ...{ id, source_id: "orders", tenant_id: "acme", received_at: 0, body: Buffer.from("body") },
});
const encoded = encodeMessage(hookOf("evt_1"));
const publisherOver = ({ client }: ScriptedSqs, options: object = {}) =>
  createSqsPublisher({ client, commands, queueUrl, ...options });

describe("what the queue answers", () => {
  test.for<readonly [string, Answer, object]>([
    [
      "an error of the message",
      { status: 400, error: "InvalidMessageContents" },
      { code: "publish_rejected", outcome: "not_published", retryable: false },
    ],
    [
      "an error of a parameter, as one protocol names it",
      { status: 400, error: "InvalidParameterValueException" },
      { code: "publish_rejected", outcome: "not_published", retryable: false },
    ],
    [
      "no such queue",
      { status: 400, error: "QueueDoesNotExist" },
      { code: "publish_failed", outcome: "not_published", message: `queue "${queueUrl}": it does not exist` },
    ],
    [
      "no such queue, as the other protocol names it",
      { status: 400, error: "AWS.SimpleQueueService.NonExistentQueue" },
      { code: "publish_failed", outcome: "not_published", message: `queue "${queueUrl}": it does not exist` },
    ],
    [
      "no permission",
      { status: 403, error: "AccessDenied" },
      { code: "publish_failed", outcome: "not_published", retryable: true, retryAfterMs: null },
    ],
    [
      "too many requests, with a time to wait",
      { status: 400, error: "RequestThrottled", headers: { "retry-after": "7" } },
      { code: "publish_failed", outcome: "not_published", retryAfterMs: 7_000 },
    ],
    [
      "a fault of its own",
      { status: 500, error: "InternalFailure" },
      { code: "publish_failed", outcome: "unknown", retryable: true },
    ],
    ["nothing, and the connection is lost", "lost", { code: "publish_failed", outcome: "unknown", retryable: true }],
    ["an id of a message with another digest", { MessageId: "m-1", MD5OfMessageBody: "0".repeat(32) }, UNSURE()],
    ["no id", { MD5OfMessageBody: "0".repeat(32) }, UNSURE()],
  ])("%s", async ([, answer, expected]) => {
    const publisher = publisherOver(await scriptedSqs(() => answer, { maxAttempts: 1 }));
    await expect(publisher.publish(encoded)).rejects.toMatchObject(expected);
  });

  function UNSURE(): object {
    return { code: "publish_failed", outcome: "unknown", retryable: true };
  }

  test("a digest that the client does not look at is looked at all the same", async () => {
    const answer = { MessageId: "m-1", MD5OfMessageBody: "0".repeat(32) };
    const publisher = publisherOver(await scriptedSqs(() => answer, { md5: false }));
    await expect(publisher.publish(encoded)).rejects.toMatchObject({ outcome: "unknown" });
  });

  test("its id is the receipt's", async () => {
    const sqs = await scriptedSqs(({ input }) => taken(input));
    expect(await publisherOver(sqs).publish(encoded)).toEqual({ address: queueUrl, id: "m-1", duplicate: false });
    expect(Object.keys(sqs.inputs("SendMessage")[0] ?? {}).toSorted()).toEqual([
      "MessageAttributes",
      "MessageBody",
      "QueueUrl",
    ]);
  });
});

describe("tries of the client's own", () => {
  const missing = { status: 400, error: "QueueDoesNotExist" };
  const throttled = { status: 400, error: "RequestThrottled" };

  test.for<readonly [string, readonly Answer[], string]>([
    ["refused each time: not published", [throttled, throttled, throttled], "not_published"],
    ["lost, then refused: unknown", ["lost", missing], "unknown"],
    ["refused, then lost: unknown", [throttled, "lost", "lost"], "unknown"],
  ])("%s", async ([, answers, outcome]) => {
    const sqs = await scriptedSqs((_, count) => answers[count] ?? "lost");
    await expect(publisherOver(sqs).publish(encoded)).rejects.toMatchObject({ outcome, retryable: true });
    expect(sqs.asked).toHaveLength(answers.length);
  });

  test("the last one counts when it is taken", async () => {
    const sqs = await scriptedSqs(({ input }, count) => (count === 0 ? "lost" : taken(input)));
    expect(await publisherOver(sqs).publish(encoded)).toMatchObject({ id: "m-1" });
    expect(sqs.asked).toHaveLength(2);
  });
});

describe("what is not sent is not published", () => {
  test("no server", async () => {
    const client = new commands.SQSClient({
      ...{
        region: "eu-west-1",
        endpoint: "http://127.0.0.1:1",
        credentials: { accessKeyId: "a", secretAccessKey: "s" },
      },
    });
    const publisher = createSqsPublisher({ client, commands, queueUrl });
    await expect(publisher.publish(encoded)).rejects.toMatchObject({ outcome: "not_published", retryable: true });
    client.destroy();
  });

  test("no credentials", async () => {
    const credentials = () => Promise.reject(new Error("none"));
    const sqs = await scriptedSqs(() => "lost", { credentials });
    await expect(publisherOver(sqs).publish(encoded)).rejects.toMatchObject({ outcome: "not_published" });
    expect(sqs.asked).toEqual([]);
  });

  test("over the limit of attributes and body", async () => {
    const sqs = await scriptedSqs(({ input }) => taken(input));
    const publisher = publisherOver(sqs, { maxBytes: encoded.bytes.length });
    await expect(publisher.publish(encoded)).rejects.toMatchObject({
      code: "publish_rejected",
      cause: { code: "message_too_large" },
    });
    expect(sqs.asked).toEqual([]);
  });

  test("a signal that aborts while nobody answers ends the publish, not what was written", async () => {
    const stop = new AbortController();
    const reason = new Error("enough");
    const sqs = await scriptedSqs(() => {
      stop.abort(reason);
      return "never";
    });
    const publisher = publisherOver(sqs);
    const publishing = publisher.publish(encoded, { signal: stop.signal });
    await expect(publishing).rejects.toMatchObject({ outcome: "unknown", cause: reason });
    await publisher.close();
  });
});

describe("a FIFO queue", () => {
  const fifo = { queueUrl: `${queueUrl}.fifo` };
  const idOf = ({ MessageDeduplicationId }: Asked["input"]): unknown => MessageDeduplicationId;
  const publishAll = (sqs: ScriptedSqs, ids: readonly string[], key?: (id: string) => string) => {
    const publisher = publisherOver(sqs, fifo);
    return Promise.allSettled(
      ids.map((id) => publisher.publish(encodeMessage(hookOf(id), { ordering_key: key?.(id) ?? null }))),
    );
  };

  test("a group's messages go one after another, in the order of the calls", async () => {
    let open = 0;
    let most = 0;
    const sqs = await scriptedSqs(async ({ input }) => {
      most = Math.max(most, ++open);
      await new Promise(setImmediate);
      open--;
      return taken(input);
    });
    const ids = ["1", "2", "3", "4", "5"];
    const settled = await publishAll(sqs, ids);
    expect(settled.map(({ status }) => status)).toEqual(ids.map(() => "fulfilled"));
    expect(sqs.inputs("SendMessage").map(idOf)).toEqual(ids);
    expect(most).toBe(1);
  });

  test("one that fails takes those behind it along, and another group goes on", async () => {
    const sqs = await scriptedSqs(({ input }) => (idOf(input) === "a1" ? "lost" : taken(input)), { maxAttempts: 1 });
    const settled = await publishAll(sqs, ["a1", "a2", "a3", "b1"], (id) => id[0] ?? "");
    expect(settled).toMatchObject([
      { reason: { outcome: "unknown" } },
      { reason: { outcome: "not_published", cause: { outcome: "unknown" } } },
      { reason: { outcome: "not_published" } },
      { value: { id: "m-1" } },
    ]);
    expect(sqs.inputs("SendMessage").map(idOf).toSorted()).toEqual(["a1", "b1"]);
  });

  test("one that is refused for good is passed", async () => {
    const refused = { status: 400, error: "InvalidMessageContents" };
    const sqs = await scriptedSqs(({ input }) => (idOf(input) === "1" ? refused : taken(input)));
    const settled = await publishAll(sqs, ["1", "2"]);
    expect(settled).toMatchObject([{ reason: { code: "publish_rejected" } }, { value: { id: "m-1" } }]);
  });

  test("what is published after a failure goes its way", async () => {
    const sqs = await scriptedSqs(({ input }, count) => (count === 0 ? "lost" : taken(input)), { maxAttempts: 1 });
    const publisher = publisherOver(sqs, fifo);
    await expect(publisher.publish(encoded)).rejects.toMatchObject({ outcome: "unknown" });
    expect(await publisher.publish(encoded)).toMatchObject({ id: "m-1" });
  });
});

test.for<readonly [string, object]>([
  ["queueUrl", { queueUrl: "" }],
  ["messageGroupId", { messageGroupId: 5 }],
  ["reservedAttributes", { reservedAttributes: 6 }],
  ["maxBytes", { maxBytes: 0 }],
  ["timeoutMs", { timeoutMs: 0 }],
  ["maxMessages", { inFlight: { maxMessages: 0 } }],
])("an unusable %s is refused", async ([field, options]) => {
  const sqs = await scriptedSqs(() => "lost");
  expect(() => publisherOver(sqs, options)).toThrow(expect.objectContaining({ code: "invalid_hook", field }));
});
