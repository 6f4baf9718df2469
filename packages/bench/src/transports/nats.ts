import { randomUUID } from "node:crypto";
import { AckPolicy, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, headers } from "@nats-io/transport-node";
import { createNatsConsumer, createNatsPublisher, toNats } from "@sinkwire/nats";
import type { RatedTransport, RateSide } from "./rate-side.js";
import { countTo, takeWithServe } from "./take.js";

/** Messages asked for ahead, on both sides. */
const PREFETCH = 100;

/** NATS JetStream. */
export const nats: RatedTransport = {
  name: "nats",
  client: "@nats-io/jetstream",
  share: 1,
  async open({ url }) {
    const open = async (): Promise<Opened> => {
      const connection = await connect({ servers: url });
      const lane = `lane-${randomUUID()}`;
      const manager = await jetstreamManager(connection);
      await manager.streams.add({ name: lane, subjects: [lane] });
      await manager.consumers.add(lane, { durable_name: "group", ack_policy: AckPolicy.Explicit });
      return { connection, jetstream: jetstream(connection), lane };
    };
    return { ours: ours(await open()), bare: bare(await open()) };
  },
};

interface Opened {
  readonly connection: Awaited<ReturnType<typeof connect>>;
  readonly jetstream: ReturnType<typeof jetstream>;
  readonly lane: string;
}

function ours({ connection, jetstream, lane }: Opened): RateSide {
  const publisher = createNatsPublisher({ connection, jetstream, headers, subject: lane });
  return {
    prepare(hook) {
      const { payload, ...mapped } = toNats(hook, null, { subject: lane });
      const message = { bytes: payload, ...mapped };
      return () => publisher.publish(message);
    },
    consume: (count) =>
      takeWithServe(
        createNatsConsumer({ connection, jetstream, stream: lane, consumer: "group", prefetch: PREFETCH }),
        count,
      ),
    close: () => connection.close(),
  };
}

function bare({ connection, jetstream, lane }: Opened): RateSide {
  return {
    prepare(hook) {
      const { payload, headers: pairs } = toNats(hook, null, { subject: lane });
      return () => {
        const set = headers();
        for (const [name, value] of pairs) set.append(name, value);
        return jetstream.publish(lane, payload, { headers: set });
      };
    },
    async consume(count, read) {
      const consumer = await jetstream.consumers.get(lane, "group");
      const messages = await consumer.consume({ max_messages: PREFETCH });
      const taken = countTo(count);
      const taking = (async () => {
        for await (const message of messages) {
          taken.arrived();
          read(message.data);
          void message.ackAck().then(taken.settled);
        }
      })();
      const elapsedMs = await taken.done;
      await messages.close();
      await taking;
      return elapsedMs;
    },
    close: () => connection.close(),
  };
}
