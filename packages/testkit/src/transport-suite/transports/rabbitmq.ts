import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { attributesSet } from "@sinkwire/message";
import { createRabbitmqConsumer, createRabbitmqPublisher, RABBITMQ_LIMITS, toRabbitmq } from "@sinkwire/rabbitmq";
import { connect, type RecoveringChannelModel } from "amqplib";
import { type Broker, waitUntil } from "../../brokers/index.js";
import type { Lane, Transport } from "../types.js";

/** Where the server keeps the names of its quorum queues. */
const QUORUM_NAMES = "data/sinkwire@localhost/quorum/sinkwire@localhost/names.dets";

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
  open: (broker) => openLane(broker, type),
});

async function openLane({ url, folder }: Broker, type: "classic" | "quorum"): Promise<Lane> {
  const connections: RecoveringChannelModel[] = [];
  const connectOnce = async (): Promise<RecoveringChannelModel> => {
    const connection = await connect(url, { timeout: 5_000, recovery: { initialDelay: 50, maxDelay: 200 } });
    connection.on("error", () => {});
    connections.push(connection);
    return connection;
  };
  const lane = `lane-${randomUUID()}`;
  const dead = `${lane}.dead`;
  const connection = await connectOnce();
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
  if (type === "quorum" && folder !== null) await waitForName(folder, lane);
  return {
    address: lane,
    async publisher({ address = lane, ...options } = {}) {
      const declareExchange = address === lane;
      return createRabbitmqPublisher({
        connection: await connectOnce(),
        exchange: address,
        declareExchange,
        ...options,
      });
    },
    async consumer() {
      const own = await connectOnce();
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

/** A quorum queue outlives a crash of the only node from when its name is on disk: half a second after it was made. */
function waitForName(folder: string, queue: string): Promise<void> {
  const isKept = (): void => {
    if (!readFileSync(join(folder, QUORUM_NAMES)).includes(queue)) throw new Error(`${queue} is not on disk`);
  };
  return waitUntil(isKept, { limitMs: 30_000 });
}
