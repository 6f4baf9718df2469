import { randomUUID } from "node:crypto";
import * as commands from "@aws-sdk/client-sqs";
import { createSqsConsumer, createSqsPublisher, toSqs } from "@sinkwire/sqs";
import type { RatedTransport, RateSide } from "./rate-side.js";
import { countTo, takeWithServe } from "./take.js";

/** SQS, standard queues. */
export const sqs: RatedTransport = {
  name: "sqs",
  client: "@aws-sdk/client-sqs",
  share: 0.25,
  async open({ url }) {
    const open = async (): Promise<Opened> => {
      const credentials = { accessKeyId: "bench", secretAccessKey: "bench" };
      const client = new commands.SQSClient({ endpoint: url, region: "us-east-1", credentials });
      const create = async (QueueName: string): Promise<string> => {
        const { QueueUrl = "" } = await client.send(new commands.CreateQueueCommand({ QueueName }));
        return QueueUrl;
      };
      const lane = `lane-${randomUUID()}`;
      return { client, queueUrl: await create(lane), deadLetterQueueUrl: await create(`${lane}-dead`) };
    };
    return { ours: ours(await open()), bare: bare(await open()) };
  },
};

interface Opened {
  readonly client: commands.SQSClient;
  readonly queueUrl: string;
  readonly deadLetterQueueUrl: string;
}

function ours({ client, queueUrl, deadLetterQueueUrl }: Opened): RateSide {
  const publisher = createSqsPublisher({ client, commands, queueUrl });
  return {
    prepare(hook) {
      const { MessageBody, form, size, dropped, head } = toSqs(hook, null, { queueUrl });
      const message = { bytes: Buffer.from(MessageBody), form, size, dropped, head };
      return () => publisher.publish(message);
    },
    consume: (count) => takeWithServe(createSqsConsumer({ client, commands, queueUrl, deadLetterQueueUrl }), count),
    close: async () => client.destroy(),
  };
}

function bare({ client, queueUrl }: Opened): RateSide {
  const QueueUrl = queueUrl;
  return {
    prepare(hook) {
      const { MessageBody, MessageAttributes } = toSqs(hook, null, { queueUrl });
      const input = { QueueUrl, MessageBody, MessageAttributes };
      return () => client.send(new commands.SendMessageCommand(input));
    },
    async consume(count, read) {
      const taken = countTo(count);
      for (let received = 0; received < count; ) {
        const { Messages = [] } = await client.send(
          new commands.ReceiveMessageCommand({
            ...{ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 },
            ...{ MessageAttributeNames: ["All"], MessageSystemAttributeNames: ["All"] },
          }),
        );
        for (const { Body = "", ReceiptHandle } of Messages) {
          received++;
          taken.arrived();
          read(Buffer.from(Body));
          void client.send(new commands.DeleteMessageCommand({ QueueUrl, ReceiptHandle })).then(taken.settled);
        }
      }
      return taken.done;
    },
    close: async () => client.destroy(),
  };
}
