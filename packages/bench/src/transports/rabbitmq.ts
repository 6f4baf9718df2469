import { randomUUID } from "node:crypto";
import { createRabbitmqConsumer, createRabbitmqPublisher, toRabbitmq } from "@sinkwire/rabbitmq";
import { type ConfirmChannel, connect, type RecoveringChannelModel } from "amqplib";
import type { RatedTransport, RateSide } from "./rate-side.js";
import { countTo, takeWithServe } from "./take.js";

/** Unsettled messages, on both sides. */
const PREFETCH = 100;

/** RabbitMQ with classic queues. */
export const rabbitmq: RatedTransport = {
  name: "rabbitmq",
  client: "amqplib",
  share: 1,
  async open({ url }) {
    const open = async (): Promise<Opened> => {
      const connection = await connect(url, { recovery: true });
      const channel = await connection.createConfirmChannel();
      const lane = `lane-${randomUUID()}`;
      await channel.assertExchange(lane, "topic", { durable: true });
      await channel.assertQueue(lane, { durable: true });
      await channel.bindQueue(lane, lane, "#");
      return { connection, channel, lane };
    };
    return { ours: ours(await open()), bare: bare(await open()) };
  },
};

interface Opened {
  readonly connection: RecoveringChannelModel;
  readonly channel: ConfirmChannel;
  readonly lane: string;
}

function ours({ connection, lane }: Opened): RateSide {
  const publisher = createRabbitmqPublisher({ connection, exchange: lane });
  return {
    prepare(hook) {
      const { content, ...mapped } = toRabbitmq(hook, null, { exchange: lane });
      const message = { bytes: content, ...mapped };
      return () => publisher.publish(message);
    },
    consume: (count) => takeWithServe(createRabbitmqConsumer({ connection, queue: lane, prefetch: PREFETCH }), count),
    close: () => connection.close(),
  };
}

function bare({ connection, channel, lane }: Opened): RateSide {
  return {
    prepare(hook) {
      const { content, routingKey, options } = toRabbitmq(hook, null, { exchange: lane });
      return () =>
        new Promise<void>((resolve, reject) => {
          channel.publish(lane, routingKey, content, { ...options, headers: { ...options.headers } }, (error) =>
            error === null ? resolve() : reject(error),
          );
        });
    },
    async consume(count, read) {
      const reader = await connection.createChannel();
      await reader.prefetch(PREFETCH);
      const taken = countTo(count);
      await reader.consume(lane, (message) => {
        if (message === null) return;
        taken.arrived();
        read(message.content);
        reader.ack(message);
        taken.settled();
      });
      const elapsedMs = await taken.done;
      await reader.close();
      return elapsedMs;
    },
    close: () => connection.close(),
  };
}
