import { randomUUID } from "node:crypto";
import * as commands from "@aws-sdk/client-sqs";
import { createSqsConsumer } from "@sinkwire/sqs";
import { expect, it } from "vitest";
import { describeCommand, lineOf, sinkwire, start } from "./command.js";
import { takeIds } from "./take-ids.js";

describeCommand({
  broker: "sqs",
  server: /^SQS$/,
  ...{ canLook: false, isOrdered: false, hasPort: false, hasClock: false, hasPast: false, hasIds: true },
  async open({ url }) {
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret", AWS_REGION: "us-east-1" });
    const client = new commands.SQSClient({ endpoint: url, region: "us-east-1" });
    const created = await client.send(new commands.CreateQueueCommand({ QueueName: `hooks-${randomUUID()}` }));
    const queueUrl = created.QueueUrl ?? "";
    const shown = `${url}${new URL(queueUrl).pathname}`; // this server's own host name is not everywhere resolved
    return {
      url: shown,
      missing: shown.replace(/[^/]*$/, "missing"),
      take: (count) => takeIds(createSqsConsumer({ client, commands, queueUrl, deadLetterQueueUrl: queueUrl }), count),
      write: (body) => client.send(new commands.SendMessageCommand({ QueueUrl: queueUrl, MessageBody: body })),
      close: async () => client.destroy(),
    };
  },
  more(fresh) {
    it("a queue is not looked at without --take: exit code 2; with it, what is printed is taken", async () => {
      const { url, take } = await fresh();
      expect((await sinkwire(["publish", url], lineOf("evt_1"))).code).toBe(0);
      const refused = await sinkwire(["tail", url]);
      expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("--take") });
      const taking = start(["tail", "--json", "--take", url]);
      await taking.lines(1);
      taking.child.kill("SIGINT");
      expect(await taking.ended).toMatchObject({ code: 0, stdout: lineOf("evt_1") });
      const { code, stderr } = await sinkwire(["tail", "--take", `${url}-missing`]);
      expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining("cannot be used") });
      await sinkwire(["publish", url], lineOf("evt_2"));
      expect(await take(1)).toEqual(["evt_2"]);
    });
  },
});
