import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { describeLife } from "./life.js";

async function using<T>(url: string, work: (nats: NatsConnection) => Promise<T>): Promise<T> {
  const nats = await connect({ servers: url, reconnect: false, ignoreAuthErrorAbort: true });
  try {
    return await work(nats);
  } finally {
    await nats.close();
  }
}

describeLife("nats", {
  version: /^NATS \d+\.\d+/,
  talk: {
    write: (url, text) =>
      using(url, async (nats) => {
        const manager = await jetstreamManager(nats);
        await manager.streams.add({ name: "life", subjects: ["life"] });
        await manager.consumers.add("life", { durable_name: "life", ack_policy: "explicit" });
        await jetstream(nats).publish("life", text);
      }),
    read: (url) =>
      using(url, async (nats) => {
        const consumer = await jetstream(nats).consumers.get("life", "life");
        const message = await consumer.next({ expires: 5_000 });
        if (message === null) throw new Error("no message");
        await message.ackAck();
        return message.string();
      }),
  },
});
