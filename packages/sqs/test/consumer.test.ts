import * as commands from "@aws-sdk/client-sqs";
import { type Delivery, serve } from "@sinkwire/delivery";
import { describe, expect, test } from "vitest";
import { createSqsConsumer, SQS_LIMITS, type SqsConsumerOptions, type SqsEntry, toSqs } from "../src/index.js";
import { type Answer, type Asked, md5, type ScriptedSqs, scriptedSqs, taken } from "./scripted-sqs.js";

const queueUrl = "https://sqs.eu-west-1.amazonaws.com/123456789012/hooks";
const fifoUrl = `${queueUrl}.fifo`;
const deadLetterQueueUrl = `${queueUrl}-dead`;

const entryOf = (id: string): SqsEntry =>
  toSqs({ id, source_id: "orders", received_at: 0, body: Buffer.from("body") }, null, { queueUrl });

/** A message as the queue hands it out for the how-manieth time, with a handle of that time. */
function handedOut(id: string, { group, count = 1 }: { group?: string; count?: number } = {}): object {
  const { MessageBody: Body, MessageAttributes } = entryOf(id);
  return {
    ...{ MessageId: `m-${id}`, ReceiptHandle: `${id}/${count}`, Body, MD5OfBody: md5(Body), MessageAttributes },
    Attributes: { ApproximateReceiveCount: String(count), ...(group ? { MessageGroupId: group } : {}) },
  };
}

/** A queue that hands out one batch per poll, then nothing, and takes whatever else it is asked. */
function queueOf(
  batches: readonly (readonly object[])[],
  answer: (asked: Asked, count: number) => Answer | undefined = () => undefined,
): Promise<ScriptedSqs> {
  return scriptedSqs((asked, count) => {
    const answered = answer(asked, count);
    if (answered !== undefined) return answered;
    if (asked.action === "SendMessage") return taken(asked.input);
    if (asked.action === "DeleteMessageBatch") return { Successful: asked.input["Entries"] as object[] };
    if (asked.action !== "ReceiveMessage") return {};
    return count < batches.length ? { Messages: batches[count] } : "never";
  });
}

/** The handles of what was deleted, in order. */
const deleted = ({ inputs }: ScriptedSqs): unknown[] =>
  inputs("DeleteMessageBatch").flatMap(({ Entries }) =>
    (Entries as { ReceiptHandle: string }[]).map(({ ReceiptHandle }) => ReceiptHandle),
  );

const consumerOf = ({ client }: ScriptedSqs, options: object = {}) =>
  createSqsConsumer({ client, commands, queueUrl, deadLetterQueueUrl, ...options });

interface Serving extends Partial<SqsConsumerOptions> {
  readonly handler?: (delivery: Delivery) => void;
  readonly backoffMs?: number;
}

/** Serves until something holds, looked at after each call and each handled message. */
async function serveUntil(
  sqs: ScriptedSqs,
  holds: () => boolean,
  { handler = () => {}, backoffMs = 0, ...options }: Serving,
): Promise<void> {
  const stop = new AbortController();
  const consumer = consumerOf(sqs, options);
  const serving = serve(consumer, handler, { signal: stop.signal, backoff: () => backoffMs });
  await expect.poll(holds, { timeout: 10_000 }).toBe(true);
  stop.abort();
  await serving;
  await consumer.close();
}

describe("a poll", () => {
  const asked = {
    ...{ QueueUrl: queueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 20, VisibilityTimeout: 30 },
    ...{ MessageAttributeNames: ["All"], MessageSystemAttributeNames: ["All"] },
  };

  test("asks for every attribute", async () => {
    const sqs = await queueOf([]);
    await serveUntil(sqs, () => sqs.asked.length > 0, {});
    expect(sqs.asked).toEqual([{ action: "ReceiveMessage", input: asked }]);
  });

  test("of a FIFO queue has an id, which a try of the client's own repeats", async () => {
    const sqs = await queueOf([], ({ action }, count) =>
      action === "ReceiveMessage" && count === 0 ? "lost" : undefined,
    );
    await serveUntil(sqs, () => sqs.asked.length > 1, { queueUrl: fifoUrl });
    const [first, second] = sqs.inputs("ReceiveMessage");
    expect(first).toEqual({ ...asked, QueueUrl: fifoUrl, ReceiveRequestAttemptId: expect.any(String) });
    expect(second).toEqual(first);
  });

  test("asks for no more than what may wait", async () => {
    const sqs = await queueOf([]);
    await serveUntil(sqs, () => sqs.asked.length > 0, { prefetch: 3, waitMs: 1_001, visibilityTimeoutMs: 1_001 });
    expect(sqs.inputs("ReceiveMessage")).toEqual([
      { ...asked, MaxNumberOfMessages: 3, WaitTimeSeconds: 2, VisibilityTimeout: 2 },
    ]);
  });

  test("goes on after a fault, and after a message without a handle", async () => {
    const fault = { status: 503, error: "ServiceUnavailable" };
    const sqs = await scriptedSqs(
      ({ action }, count) => {
        if (action !== "ReceiveMessage") return {};
        return (
          [fault, { Messages: [{ ...handedOut("1"), ReceiptHandle: undefined }] }, { Messages: [handedOut("2")] }][
            count
          ] ?? "never"
        );
      },
      { maxAttempts: 1 },
    );
    const ids: string[] = [];
    const handler = (delivery: Delivery): void => void (delivery.kind === "message" && ids.push(delivery.message.id));
    await serveUntil(sqs, () => deleted(sqs).length > 0, { handler });
    expect(ids).toEqual(["2"]);
  });

  test.for(["QueueDoesNotExist", "AccessDeniedException"])(
    "that is refused with %s ends the iteration",
    async (error) => {
      const sqs = await scriptedSqs(() => ({ status: 400, error }));
      await expect(serve(consumerOf(sqs), () => {})).rejects.toThrow(`queue "${queueUrl}": `);
    },
  );
});

describe("a delivery", () => {
  test("tells attempt, attributes and, on a FIFO queue only, the group as its key", async () => {
    for (const [url, key] of [
      [queueUrl, null],
      [fifoUrl, "g"],
    ] as const) {
      const sqs = await queueOf([[handedOut("1", { group: "g", count: 3 })]]);
      const seen: object[] = [];
      const handler = ({ key, attempt, address, pairs }: Delivery): void =>
        void seen.push({ key, attempt, address, names: pairs.map(([name]) => name) });
      await serveUntil(sqs, () => deleted(sqs).length > 0, { handler, queueUrl: url });
      const names = Object.keys(entryOf("1").MessageAttributes);
      expect(seen).toEqual([{ key, attempt: 3, address: url, names }]);
      expect(sqs.inputs("DeleteMessageBatch")).toEqual([
        { QueueUrl: url, Entries: [{ Id: "0", ReceiptHandle: "1/3" }] },
      ]);
    }
  });

  test.for([
    [0, 0],
    [1, 1],
    [1_001, 2],
    [30_000, 30],
  ] as const)("retried after %i ms is hidden for %i s, never less", async ([backoffMs, seconds]) => {
    const sqs = await queueOf([[handedOut("1")]]);
    const handler = (): never => {
      throw new Error("not yet");
    };
    await serveUntil(sqs, () => sqs.inputs("ChangeMessageVisibility").length > 0, { handler, backoffMs });
    expect(sqs.inputs("ChangeMessageVisibility")).toEqual([
      { QueueUrl: queueUrl, ReceiptHandle: "1/1", VisibilityTimeout: seconds },
    ]);
  });

  test("retried after days is hidden for what is left of twelve hours", async () => {
    const sqs = await queueOf([[handedOut("1")]]);
    const handler = (delivery: Delivery): void => void delivery.retry({ afterMs: 1e9 });
    await serveUntil(sqs, () => sqs.inputs("ChangeMessageVisibility").length > 0, { handler });
    const [{ VisibilityTimeout: seconds } = {}] = sqs.inputs("ChangeMessageVisibility");
    expect(seconds).toBeLessThan(SQS_LIMITS.visibilityMs / 1_000);
    expect(seconds).toBeGreaterThan(SQS_LIMITS.visibilityMs / 1_000 - 60);
  });

  test("whose handle is no good any more is taken back, and left alone", async () => {
    const gone = { status: 400, error: "MessageNotInflight" };
    const sqs = await queueOf([[handedOut("1")]], ({ action }) =>
      action === "ChangeMessageVisibility" ? gone : undefined,
    );
    const consumer = consumerOf(sqs, { visibilityTimeoutMs: 1_000 });
    const { value: delivery } = await consumer.deliveries()[Symbol.asyncIterator]().next();
    await expect.poll(() => delivery?.signal.aborted, { timeout: 10_000 }).toBe(true);
    await delivery?.ack();
    await consumer.close();
    expect(deleted(sqs)).toEqual([]);
    expect(sqs.inputs("ChangeMessageVisibility")).toHaveLength(1);
  });

  test("is hidden again after a fault", async () => {
    const fault = { status: 500, error: "InternalFailure" };
    const sqs = await queueOf([[handedOut("1")]], ({ action }, count) =>
      action === "ChangeMessageVisibility" && count === 0 ? fault : undefined,
    );
    const consumer = consumerOf(sqs, { visibilityTimeoutMs: 2_000 });
    const { value: delivery } = await consumer.deliveries()[Symbol.asyncIterator]().next();
    await expect.poll(() => sqs.inputs("ChangeMessageVisibility").length, { timeout: 10_000 }).toBeGreaterThan(2);
    expect(delivery?.signal.aborted).toBe(false);
    await delivery?.ack();
    await consumer.close();
  });

  test("whose text is no well-formed one is invalid, and goes to the dead letters", async () => {
    const message = { ...handedOut("1"), Body: "\ud800", MD5OfBody: md5("\ud800") };
    const sqs = await queueOf([[message]]);
    await serveUntil(sqs, () => deleted(sqs).length > 0, {});
    expect(sqs.inputs("SendMessage")).toMatchObject([
      {
        QueueUrl: deadLetterQueueUrl,
        MessageBody: "\ufffd",
        MessageAttributes: { sinkwire_dead_code: { DataType: "String", StringValue: "invalid_json" } },
      },
    ]);
    expect(sqs.asked.map(({ action }) => action).slice(-2)).toEqual(["SendMessage", "DeleteMessageBatch"]);
  });

  test("that the dead letters did not take is not deleted", async () => {
    const sqs = await queueOf([[{ ...handedOut("1"), Body: "x", MD5OfBody: md5("x") }]], ({ action }) =>
      action === "SendMessage" ? { status: 400, error: "QueueDoesNotExist" } : undefined,
    );
    const told: unknown[] = [];
    const stop = new AbortController();
    const consumer = consumerOf(sqs);
    const onError = (error: unknown): void => {
      told.push(error);
      stop.abort();
    };
    await serve(consumer, () => {}, { signal: stop.signal, onError });
    await consumer.close();
    expect(told).toMatchObject([
      { code: "publish_failed", message: `queue "${deadLetterQueueUrl}": it does not exist` },
    ]);
    expect(deleted(sqs)).toEqual([]);
  });
});

describe("acknowledgements", () => {
  const all = Array.from({ length: 10 }, (_, i) => `${i}`);

  /** Acknowledges all of one poll at once, and gives what each acknowledgement came to. */
  async function ackAll(sqs: ScriptedSqs): Promise<readonly unknown[]> {
    const consumer = consumerOf(sqs);
    const deliveries = consumer.deliveries()[Symbol.asyncIterator]();
    const taken: Delivery[] = [];
    while (taken.length < all.length) taken.push((await deliveries.next()).value);
    const settled = await Promise.allSettled(taken.map((delivery) => delivery.ack()));
    await consumer.close();
    return settled.map((one) => (one.status === "rejected" ? one.reason.message : "done"));
  }

  test("of one turn go in one request", async () => {
    const sqs = await queueOf([all.map((id) => handedOut(id))]);
    expect(await ackAll(sqs)).toEqual(all.map(() => "done"));
    expect(sqs.inputs("DeleteMessageBatch")).toHaveLength(1);
    expect(deleted(sqs)).toEqual(all.map((id) => `${id}/1`));
  });

  test("fail one by one, and those that the answer leaves out", async () => {
    const answer = {
      Successful: [{ Id: "0" }],
      Failed: [{ Id: "1", Code: "ReceiptHandleIsInvalid", SenderFault: true }],
    };
    const sqs = await queueOf([all.map((id) => handedOut(id))], ({ action }) =>
      action === "DeleteMessageBatch" ? answer : undefined,
    );
    expect(await ackAll(sqs)).toEqual([
      "done",
      "the message was not deleted: ReceiptHandleIsInvalid",
      ...all.slice(2).map(() => "the message was not deleted: the answer does not name it"),
    ]);
  });

  test("fail with the request", async () => {
    const refused = { status: 403, error: "AccessDenied" };
    const sqs = await queueOf([all.map((id) => handedOut(id))], ({ action }) =>
      action === "DeleteMessageBatch" ? refused : undefined,
    );
    const settled = await ackAll(sqs);
    expect(new Set(settled).size).toBe(1);
    expect(settled[0]).not.toBe("done");
  });
});

describe("the order of a group", () => {
  const batch = [...["a1", "a2", "a3"].map((id) => handedOut(id, { group: "a" })), handedOut("b1", { group: "b" })];
  const again = ["a1", "a2", "a3"].map((id) => handedOut(id, { group: "a", count: 2 }));
  const changes = ({ inputs }: ScriptedSqs): unknown[] =>
    inputs("ChangeMessageVisibility").map((input) => [input["ReceiptHandle"], input["VisibilityTimeout"]]);

  test("outlives a retry: what came behind it in one poll is given back unhandled", async () => {
    const sqs = await queueOf([batch, again]);
    const handled: string[] = [];
    const handler = (delivery: Delivery): void => {
      if (delivery.kind !== "message") return;
      handled.push(`${delivery.message.id}/${delivery.attempt}`);
      if (handled.at(-1) === "a1/1") throw new Error("not yet");
    };
    await serveUntil(sqs, () => deleted(sqs).length === 4, {
      handler,
      backoffMs: 5_000,
      queueUrl: fifoUrl,
      prefetch: 10,
    });
    expect(changes(sqs)).toEqual([
      ["a1/1", 5],
      ["a2/1", 0],
      ["a3/1", 0],
    ]);
    expect(handled.filter((one) => one.startsWith("a"))).toEqual(["a1/1", "a1/2", "a2/2", "a3/2"]);
    expect(deleted(sqs).filter((one) => one !== "b1/1")).toEqual(["a1/2", "a2/2", "a3/2"]);
  });

  test("outlives a rejection that the redrive policy decides about", async () => {
    const policy = { Attributes: { RedrivePolicy: '{"maxReceiveCount":2}' } };
    const sqs = await queueOf([batch], ({ action }) => (action === "GetQueueAttributes" ? policy : undefined));
    const handled: string[] = [];
    const handler = (delivery: Delivery): void => {
      if (delivery.kind !== "message") return;
      handled.push(delivery.message.id);
      if (delivery.message.id === "a1") throw Object.assign(new Error("never"), { retryable: false });
    };
    const options = { handler, queueUrl: fifoUrl, deadLetterQueueUrl: null };
    await serveUntil(sqs, () => changes(sqs).length === 2 && deleted(sqs).length === 1, options);
    expect(handled.toSorted()).toEqual(["a1", "b1"]);
    expect(changes(sqs)).toEqual([
      ["a2/1", 0],
      ["a3/1", 0],
    ]);
    expect(deleted(sqs)).toEqual(["b1/1"]);
    expect(sqs.inputs("GetQueueAttributes")).toEqual([{ QueueUrl: fifoUrl, AttributeNames: ["RedrivePolicy"] }]);
  });
});

test("a queue without a redrive policy is not consumed without a queue for dead letters", async () => {
  const sqs = await queueOf([[handedOut("1")]]);
  await expect(serve(consumerOf(sqs, { deadLetterQueueUrl: null }), () => {})).rejects.toThrow("no redrive policy");
  expect(sqs.inputs("ReceiveMessage")).toEqual([]);
});

test.for<readonly [string, object]>([
  ["queueUrl", { queueUrl: "" }],
  ["deadLetterQueueUrl", { deadLetterQueueUrl: 5 }],
  ["prefetch", { prefetch: 0 }],
  ["visibilityTimeoutMs", { visibilityTimeoutMs: SQS_LIMITS.visibilityMs + 1 }],
  ["waitMs", { waitMs: SQS_LIMITS.waitMs + 1 }],
  ["envelope", { envelope: "SNS" }],
  ["max_bytes", { maxBytes: -1 }],
])("an unusable %s is refused", async ([field, options]) => {
  const sqs = await queueOf([]);
  expect(() => consumerOf(sqs, options)).toThrow(expect.objectContaining({ code: "invalid_hook", field }));
});
