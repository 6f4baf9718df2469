import { randomUUID } from "node:crypto";
import { v1 } from "@google-cloud/pubsub";
import { createPubsubConsumer } from "@sinkwire/google-pubsub";
import { expect, it } from "vitest";
import { configOf } from "../../src/transport-suite/transports/google-pubsub.js";
import { describeCommand, lineOf, sinkwire, start } from "./command.js";
import { takeIds } from "./take-ids.js";

describeCommand({
  broker: "google-pubsub",
  server: /^Pub\/Sub emulator/,
  ...{ canLook: true, isOrdered: false, hasPort: false, hasClock: false, hasPast: false, hasIds: true },
  async open({ url }) {
    process.env["PUBSUB_EMULATOR_HOST"] = url;
    const name = `hooks-${randomUUID()}`;
    const publishing = new v1.PublisherClient(await configOf(url));
    const client = new v1.SubscriberClient(await configOf(url));
    const topic = `projects/acme/topics/${name}`;
    const subscription = `projects/acme/subscriptions/${name}`;
    await publishing.createTopic({ name: topic });
    await client.createSubscription({ name: subscription, topic, ackDeadlineSeconds: 10 });
    return {
      url: `pubsub://acme/${name}`,
      missing: "pubsub://acme/missing",
      take: (count) => takeIds(createPubsubConsumer({ client, subscription, deadLetters: null }), count),
      write: (body) => publishing.publish({ topic, messages: [{ data: Buffer.from(body) }] }),
      async close() {
        const [subscriptions] = await client.listSubscriptions({ project: "projects/acme" });
        expect(subscriptions.filter((one) => one.name?.includes("sinkwire-tail"))).toEqual([]);
        await publishing.close();
        await client.close();
      },
    };
  },
  more(fresh) {
    it("a subscription is not looked at without --take: exit code 2; with it, what is printed is taken", async () => {
      const { url } = await fresh();
      const subscription = url.replace(/\/([^/]*)$/, "/?subscription=$1");
      expect((await sinkwire(["publish", url], lineOf("evt_1"))).code).toBe(0);
      const refused = await sinkwire(["tail", subscription]);
      expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("--take") });
      const taking = start(["tail", "--json", "--take", subscription]);
      await taking.lines(1);
      taking.child.kill("SIGINT");
      expect(await taking.ended).toMatchObject({ code: 0, stdout: lineOf("evt_1") });
    });
  },
});
