import { randomUUID } from "node:crypto";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, headers, type NatsConnection } from "@nats-io/transport-node";
import { headersSet } from "@sinkwire/message";
import { createNatsConsumer, createNatsPublisher, NATS_LIMITS, toNats } from "@sinkwire/nats";
import type { Transport } from "../types.js";

/** How long the server waits for an acknowledgement, in milliseconds. */
const ACK_WAIT_MS = 3_000;

/** NATS JetStream. */
export const nats: Transport = {
  name: "nats",
  title: "NATS JetStream",
  hasKeys: false,
  noBody: "invalid",
  maxBytes: NATS_LIMITS.maxBytes,
  encode(hook, context, claim) {
    const { payload, ...mapped } = toNats(hook, context, { subject: "any", claim });
    return { bytes: payload, ...mapped };
  },
  metadataOf: (message) =>
    headersSet(message, message).filter(([, value]) => value === value.trim() && !/[\r\n\0]/.test(value)),
  async open({ url }) {
    const connections: NatsConnection[] = [];
    const join = async (): Promise<NatsConnection> => {
      const connection = await connect({ servers: url, maxReconnectAttempts: -1, reconnectTimeWait: 100 });
      connections.push(connection);
      return connection;
    };
    const connection = await join();
    const lane = `lane-${randomUUID()}`;
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: lane, subjects: [lane] });
    await manager.consumers.add(lane, {
      durable_name: "group",
      ack_policy: "explicit",
      ack_wait: ACK_WAIT_MS * 1_000_000,
    });
    return {
      address: lane,
      async publisher({ address = lane, ...options } = {}) {
        const own = await join();
        return createNatsPublisher({
          connection: own,
          jetstream: jetstream(own),
          headers,
          subject: address,
          ...options,
        });
      },
      async consumer() {
        const own = await join();
        return {
          consumer: createNatsConsumer({
            connection: own,
            jetstream: jetstream(own),
            stream: lane,
            consumer: "group",
          }),
          kill: () => own.close(),
        };
      },
      async write(body) {
        await jetstream(connection).publish(lane, body ?? new Uint8Array());
      },
      deadLetters: async () => null,
      async close() {
        for (const own of connections) await own.close();
      },
    };
  },
};
