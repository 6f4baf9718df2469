import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { describeLife } from "./life.js";

async function using<T>(url: string, work: (client: SQSClient) => Promise<T>): Promise<T> {
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const client = new SQSClient({ endpoint: url, region: "us-east-1", credentials });
  try {
    return await work(client);
  } finally {
    client.destroy();
  }
}

describeLife("sqs", {
  version: /^fauxqs \d+\.\d+/,
  talk: {
    write: (url, text) =>
      using(url, async (client) => {
        const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: "life" }));
        await client.send(new SendMessageCommand({ QueueUrl, MessageBody: text }));
      }),
    read: (url) =>
      using(url, async (client) => {
        const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName: "life" }));
        const { Messages } = await client.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5 }));
        const message = Messages?.[0];
        if (message === undefined) throw new Error("no message");
        await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message.ReceiptHandle }));
        return message.Body ?? "";
      }),
  },
});
