import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { ReceiveMessageCommand, SendMessageBatchCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fromSqs, type SqsEntry, toSqs } from "../src/index.js";

const queueUrl = "https://sqs.eu-west-1.amazonaws.com/123456789012/hooks.fifo";
const given = {
  ...{ id: "evt_1", source_id: "orders", tenant_id: "acme", received_at: 0, dedupe_key: "ü\t\u{1f600}" },
  body: Buffer.from("body"),
};
const md5 = (body: string): string => createHash("md5").update(body).digest("hex");

/** The least of SQS that the client talks to: it remembers what was sent and gives it back. */
let server: Server;
let client: SQSClient;
const sent: Record<string, unknown>[] = [];
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const action = String(request.headers["x-amz-target"]).split(".")[1];
    const input = JSON.parse(await text(request)) as Record<string, unknown>;
    sent.push(input);
    const { MessageBody, MessageAttributes } = sent[0] as unknown as SqsEntry;
    const answers: Record<string, object> = {
      SendMessage: { MessageId: "m-1", MD5OfMessageBody: md5(MessageBody) },
      SendMessageBatch: { Successful: [], Failed: [] },
      ReceiveMessage: {
        Messages: [{ MessageId: "m-1", Body: MessageBody, MD5OfBody: md5(MessageBody), MessageAttributes }],
      },
    };
    response.setHeader("content-type", "application/x-amz-json-1.0").end(JSON.stringify(answers[action ?? ""]));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  client = new SQSClient({
    region: "eu-west-1",
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    useQueueUrlAsEndpoint: false,
    credentials: { accessKeyId: "a", secretAccessKey: "s" },
  });
});
afterAll(() => {
  client.destroy();
  server.close();
});

describe("the AWS SDK", () => {
  test("sends an entry as it is, without what is not SQS's, and reads it back", async () => {
    const entry = toSqs(given, { ordering_key: "acme/cust-1" }, { queueUrl });
    const { form, size, dropped, ...wire } = entry;
    expect(await client.send(new SendMessageCommand(entry))).toMatchObject({ MessageId: "m-1" });
    expect(sent).toEqual([wire]);
    expect(wire).toMatchObject({ QueueUrl: queueUrl, MessageGroupId: "acme/cust-1", MessageDeduplicationId: "evt_1" });

    const { Messages } = await client.send(
      new ReceiveMessageCommand({ QueueUrl: queueUrl, MessageAttributeNames: ["All"] }),
    );
    expect(Messages).toHaveLength(1);
    expect(fromSqs(Messages?.[0] ?? {})).toMatchObject({
      kind: "message",
      message: { id: "evt_1", ordering_key: "acme/cust-1" },
      metadata: {
        id: "evt_1",
        tenant_id: "acme",
        dedupe_key: "ü\t\u{1f600}",
        ordering_key: "acme/cust-1",
        problems: [],
      },
    });

    await client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: [{ Id: "0", ...entry }] }));
    const { QueueUrl, ...inBatch } = wire;
    expect(sent.at(-1)).toEqual({ QueueUrl, Entries: [{ Id: "0", ...inBatch }] });
  });
});
