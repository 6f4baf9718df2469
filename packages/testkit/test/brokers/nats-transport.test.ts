import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, headers, type NatsConnection } from "@nats-io/transport-node";
import { type Publisher, serve } from "@sinkwire/delivery";
import type { EncodedMessage } from "@sinkwire/message";
import { createNatsConsumer, createNatsPublisher } from "@sinkwire/nats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Broker, startBroker } from "../../src/brokers/index.js";
import { plainHook } from "../../src/transport-suite/index.js";
import { nats } from "../../src/transport-suite/transports/nats.js";
import { runSnippets } from "./run-snippets.js";
import { describeTransport } from "./transport.js";

describeTransport(nats);

describe("NATS JetStream alone", () => {
  let broker: Broker;
  let connection: NatsConnection;
  const encode = (id: string, bodyBytes?: number): EncodedMessage => nats.encode(plainHook(id, bodyBytes), null, null);
  beforeAll(async () => {
    broker = await startBroker("nats", { own: true });
    connection = await connect({ servers: broker.url });
  });
  afterAll(async () => {
    await connection?.close();
    await broker?.stop();
  });

  it("says that the server had a message already", async () => {
    await (await jetstreamManager(connection)).streams.add({ name: "twice", subjects: ["twice"] });
    const publisher = publisherTo("twice");
    expect(await publisher.publish(encode("evt_1"))).toEqual({ address: "twice", id: "twice:1", duplicate: false });
    expect(await publisher.publish(encode("evt_1"))).toEqual({ address: "twice", id: "twice:1", duplicate: true });
  });

  it("refuses for good what is over the stream's own maximum", async () => {
    await (await jetstreamManager(connection)).streams.add({ name: "small", subjects: ["small"], max_msg_size: 2_048 });
    await expect(publisherTo("small").publish(encode("evt_1", 4_096))).rejects.toMatchObject({
      code: "publish_rejected",
      outcome: "not_published",
      retryable: false,
    });
  });

  it("can try again after a stream that is full", async () => {
    const manager = await jetstreamManager(connection);
    await manager.streams.add({ name: "full", subjects: ["full"], max_msgs: 1, discard: "new" });
    await publisherTo("full").publish(encode("evt_1"));
    await expect(publisherTo("full").publish(encode("evt_2"))).rejects.toMatchObject({
      code: "publish_failed",
      outcome: "not_published",
      retryable: true,
    });
  });

  it("ends with an error that names a consumer that is missing", async () => {
    const consumer = createNatsConsumer({
      connection,
      jetstream: jetstream(connection),
      stream: "twice",
      consumer: "nobody",
    });
    await expect(serve(consumer, () => {})).rejects.toThrow('stream "twice", consumer "nobody"');
  });

  it("is used as its page shows", async () => {
    const { streams } = await jetstreamManager(connection);
    await streams.add({ name: "hooks", subjects: ["hooks.>"] });
    const server = { shown: "nats://127.0.0.1:4222", url: broker.url };
    expect(await runSnippets("packages/nats/README.md", server, "evt_1")).toEqual(["hooks:1 false\n", "evt_1\n"]);
  });

  function publisherTo(subject: string): Publisher {
    return createNatsPublisher({ connection, jetstream: jetstream(connection), headers, subject });
  }
});
