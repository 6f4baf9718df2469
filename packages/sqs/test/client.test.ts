import { ReceiveMessageCommand, SendMessageBatchCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import { describe, expect, test } from "vitest";
import { fromSqs, toSqs } from "../src/index.js";
import { type Answer, md5, scriptedSqs, taken } from "./scripted-sqs.js";

const queueUrl = "https://sqs.eu-west-1.amazonaws.com/123456789012/hooks.fifo";
const given = {
  ...{ id: "evt_1", source_id: "orders", tenant_id: "acme", received_at: 0, dedupe_key: "ü\t\u{1f600}" },
  body: Buffer.from("body"),
};

describe("the AWS SDK", () => {
  test("sends an entry as it is, without what is not SQS's, and reads it back", async () => {
    const { form, size, dropped, head, ...wire } = toSqs(given, { ordering_key: "acme/cust-1" }, { queueUrl });
    const { MessageBody, MessageAttributes, QueueUrl, ...ids } = wire;
    const answers: Record<string, Answer> = {
      SendMessage: taken(wire),
      SendMessageBatch: { Successful: [], Failed: [] },
      ReceiveMessage: {
        Messages: [{ MessageId: "m-1", Body: MessageBody, MD5OfBody: md5(MessageBody), MessageAttributes }],
      },
    };
    const { client, inputs } = await scriptedSqs(({ action }) => answers[action] ?? "lost");
    const entry = { ...wire, form, size, dropped, head };
    expect(await client.send(new SendMessageCommand(entry))).toMatchObject({ MessageId: "m-1" });
    expect(inputs("SendMessage")).toEqual([wire]);
    expect(ids).toEqual({ MessageGroupId: "acme/cust-1", MessageDeduplicationId: "evt_1" });

    const { Messages } = await client.send(
      new ReceiveMessageCommand({ QueueUrl: queueUrl, MessageAttributeNames: ["All"] }),
    );
    expect(Messages).toHaveLength(1);
    expect(fromSqs(Messages?.[0] ?? {})).toMatchObject({
      kind: "message",
      message: { id: "evt_1", ordering_key: "acme/cust-1" },
      metadata: {
        ...{ id: "evt_1", tenant_id: "acme", dedupe_key: "ü\t\u{1f600}", ordering_key: "acme/cust-1", problems: [] },
      },
    });

    await client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: [{ Id: "0", ...entry }] }));
    expect(inputs("SendMessageBatch")).toEqual([
      { QueueUrl, Entries: [{ Id: "0", MessageBody, MessageAttributes, ...ids }] },
    ]);
  });
});
