import { randomUUID } from "node:crypto";
import { attributesSet } from "@sinkwire/message";
import { createRabbitmqConsumer, createRabbitmqPublisher, RABBITMQ_LIMITS, toRabbitmq } from "@sinkwire/rabbitmq";
import { connect, type RecoveringChannelModel } from "amqplib";
import type { Lane, Transport } from "../types.js";

/** RabbitMQ, with a kind of queue. */
export const rabbitmqWith = (type: "classic" | "quorum"): Transport => ({
  name: "rabbitmq",
  title: `RabbitMQ with a ${type} queue`,
  hasKeys: false,
  noBody: "invalid",
  maxBytes: RABBITMQ_LIMITS.maxBytes,
  encode(hook, context, claim) {
    const { content, form, size, dropped } = toRabbitmq(hook, context, { exchange: "any", claim });
    return { bytes: content, form, size, dropped };
  },
  metadataOf: (message) => attributesSet(message, message),
  open: ({ url }) => openLane(url, type),
});

async function openLane(url: string, type: "classic" | "quorum"): Promise<Lane> {
  const connections: RecoveringChannelModel[] = [];
  const join = async (): Promise<RecoveringChannelModel> => {
    const connection = await connect(url, { timeout: 5_000, recovery: { initialDelay: 50, maxDelay: 200 } });
    connection.on("error", () => {});
    connections.push(connection);
    return connection;
  };
  const lane = `lane-${randomUUID()}`;
  const dead = `${lane}.dead`;
  const connection = await join();
  const channel = await connection.createConfirmChannel();
  channel.on("error", () => {});
  await channel.assertExchange(lane, "topic", { durable: true });
  await channel.assertQueue(dead);
  await channel.assertQueue(lane, {
    durable: true,
    deadLetterExchange: "",
    deadLetterRoutingKey: dead,
    arguments: { "x-queue-type": type },
  });
  await channel.bindQueue(lane, lane, "#");
  return {
    address: lane,
    async publisher({ address = lane, ...options } = {}) {
      const declareExchange = address === lane;
      return createRabbitmqPublisher({ connection: await join(), exchange: address, declareExchange, ...options });
    },
    async consumer() {
      const own = await join();
      return { consumer: createRabbitmqConsumer({ connection: own, queue: lane }), kill: () => own.close() };
    },
    async write(body) {
      channel.publish(lane, "written", Buffer.from(body ?? []));
      await channel.waitForConfirms();
    },
    async deadLetters() {
      const letters: Uint8Array[] = [];
      for (let letter = await channel.get(dead); letter !== false; letter = await channel.get(dead)) {
        letters.push(letter.content);
      }
      return letters;
    },
    async close() {
      for (const own of connections) await own.close();
    },
  };
}
