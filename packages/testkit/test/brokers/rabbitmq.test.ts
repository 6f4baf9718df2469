import { type ConfirmChannel, connect } from "amqplib";
import { describeLife } from "./life.js";

async function using<T>(url: string, work: (channel: ConfirmChannel) => Promise<T>): Promise<T> {
  const connection = await connect(url);
  connection.on("error", () => {});
  try {
    const channel = await connection.createConfirmChannel();
    channel.on("error", () => {});
    return await work(channel);
  } finally {
    await connection.close();
  }
}

describeLife("rabbitmq", {
  version: /^RabbitMQ \d+\.\d+/,
  talk: {
    write: (url, text) =>
      using(url, async (channel) => {
        await channel.assertQueue("life", { durable: true });
        channel.sendToQueue("life", Buffer.from(text), { persistent: true });
        await channel.waitForConfirms();
      }),
    read: (url) =>
      using(url, async (channel) => {
        const message = await channel.get("life");
        if (message === false) throw new Error("no message");
        channel.ack(message);
        await channel.close();
        return message.content.toString();
      }),
  },
});
