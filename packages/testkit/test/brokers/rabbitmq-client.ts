import type { EncodedMessage, Hook } from "@sinkwire/message";
import { toRabbitmq } from "@sinkwire/rabbitmq";
import { connect, type RecoveringChannelModel } from "amqplib";

/** A connection that comes back, soon enough for a test. */
export async function connectRabbitmq(url: string): Promise<RecoveringChannelModel> {
  const connection = await connect(url, { timeout: 5_000, recovery: { initialDelay: 50, maxDelay: 200 } });
  connection.on("error", () => {});
  return connection;
}

/** A hook as a message for RabbitMQ. */
export function rabbitmqMessage(hook: Hook): EncodedMessage {
  const { content, form, size, dropped } = toRabbitmq(hook, null, { exchange: "any" });
  return { bytes: content, form, size, dropped };
}
