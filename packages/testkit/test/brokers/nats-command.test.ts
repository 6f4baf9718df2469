import { randomUUID } from "node:crypto";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { createNatsConsumer } from "@sinkwire/nats";
import { describeCommand } from "./command.js";
import { takeIds } from "./take-ids.js";

describeCommand({
  broker: "nats",
  server: /^nats-server \d+\.\d+/,
  ...{ hasClock: false, hasPast: true, hasIds: true },
  async open({ url }) {
    const connection = await connect({ servers: url });
    const stream = `hooks-${randomUUID()}`;
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: stream, subjects: [stream] });
    await manager.consumers.add(stream, { durable_name: "group", ack_policy: "explicit" });
    const client = { connection, jetstream: jetstream(connection) };
    return {
      url: `${url}/${stream}`,
      missing: `${url}/missing`,
      take: (count) => takeIds(createNatsConsumer({ ...client, stream, consumer: "group" }), count),
      write: (body) => client.jetstream.publish(stream, body),
      close: () => connection.close(),
    };
  },
});
