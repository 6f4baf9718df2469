import { type Message, PubSub, type Subscription } from "@google-cloud/pubsub";
import { describeLife } from "./life.js";

const ALREADY_EXISTS = 6;

async function using<T>(url: string, work: (client: PubSub) => Promise<T>): Promise<T> {
  process.env["PUBSUB_EMULATOR_HOST"] = url;
  const client = new PubSub({ projectId: "life" });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

const unlessThere = (error: { code?: number }): void => {
  if (error.code !== ALREADY_EXISTS) throw error;
};

function take(subscription: Subscription): Promise<Message> {
  return new Promise((resolve, reject) => {
    subscription.once("error", reject);
    subscription.once("message", resolve);
  });
}

describeLife("google-pubsub", {
  version: /^Google pstest \d+\.\d+/,
  talk: {
    write: (url, text) =>
      using(url, async (client) => {
        await client.createTopic("life").catch(unlessThere);
        await client.createSubscription("life", "life").catch(unlessThere);
        await client.topic("life").publishMessage({ data: Buffer.from(text) });
      }),
    read: (url) =>
      using(url, async (client) => {
        await client.subscription("life").getMetadata({ timeout: 5_000, retry: null });
        const subscription = client.subscription("life");
        const message = await take(subscription);
        message.ack();
        await subscription.close();
        return message.data.toString();
      }),
  },
});
