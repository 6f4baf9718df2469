import { EventEmitter, on } from "node:events";
import { createRabbitmqConsumer, createRabbitmqPublisher, fromRabbitmq } from "@sinkwire/rabbitmq";
import type { Channel, ChannelModel, ConsumeMessage } from "amqplib";
import { UsageError } from "../io/exit.js";
import { type Address, hostAndPort } from "./address.js";
import { CONNECT_MS, told, unreachable } from "./connecting.js";
import { loadPeer } from "./peer.js";
import { take } from "./take.js";
import type { Tailed, TailOptions, Transport } from "./transport.js";

const PORTS: Readonly<Record<string, number>> = { amqp: 5_672, amqps: 5_671 };

/** Messages that are received ahead of what is printed. */
const PREFETCH = 100;

/** Messages that the temporary queue keeps for a reader that is slower than they come; older ones are dropped. */
const MAX_LENGTH = 10_000;

/** An exchange, or a queue. */
type Place = { readonly exchange: string; readonly key: string | null } | { readonly queue: string };

/**
 * RabbitMQ: `amqp://[user:password@]host[:port]/[vhost/]exchange[?key=routing.key]`, or `…/[vhost/]?queue=name`. The key is
 * what is published with, by default `ankusa.<source_id>`, and the binding to look at, by default `#`.
 */
export const rabbitmq: Transport = {
  async publisher(address) {
    const place = placeOf(address);
    const connection = await connect(address);
    const publisher = createRabbitmqPublisher({
      connection,
      ...("queue" in place
        ? { exchange: "", routingKey: place.queue }
        : { exchange: place.exchange, routingKey: place.key }),
      declareExchange: false,
    });
    return {
      publish: publisher.publish,
      async close() {
        await publisher.close();
        await connection.close();
      },
    };
  },

  async *tail(address, options) {
    const place = placeOf(address);
    if (options.since !== null || !options.follow) {
      throw new UsageError("RabbitMQ keeps nothing to look back at: neither --since nor --no-follow goes with it");
    }
    if ("queue" in place && !options.take) {
      throw new UsageError(
        `a queue cannot be looked at: name its exchange, or take the messages of ${place.queue} with --take`,
      );
    }
    const connection = await connect(address);
    try {
      if ("queue" in place) {
        const consumer = createRabbitmqConsumer({ connection, queue: place.queue });
        yield* take(address, consumer, place.queue, options);
      } else yield* look(address, connection, place, options);
    } finally {
      await connection.close().catch(() => {}); // it may be closed by the server
    }
  },

  async probe(address) {
    const connection = await connect(address);
    try {
      const { product, version } = connection.connection.serverProperties;
      const fault =
        address.path.length === 0 && address.query.size === 0 ? null : await missing(connection, placeOf(address));
      return { server: `${product} ${version}`, clockMs: null, fault };
    } finally {
      await connection.close();
    }
  },
};

/** Looks on by an exclusive queue of its own, which ends with the connection. */
async function* look(
  address: Address,
  connection: ChannelModel,
  { exchange, key }: Extract<Place, { exchange: string }>,
  { signal, ready }: TailOptions,
): AsyncGenerator<Tailed> {
  const channel = await openChannel(connection);
  const events = new EventEmitter();
  connection.on("error", (error) => events.emit("error", error));
  channel.on("close", () => events.emit("end"));
  const stop = (): void => void events.emit("end");
  const messages = on(events, "message", { close: ["end"] });
  signal.addEventListener("abort", stop, { once: true });
  try {
    await told(address, channel.checkExchange(exchange));
    const own = { exclusive: true, autoDelete: true, durable: false, maxLength: MAX_LENGTH };
    const { queue } = await told(address, channel.assertQueue("", own));
    await told(address, channel.bindQueue(queue, exchange, key ?? "#"));
    await channel.prefetch(PREFETCH);
    await channel.consume(queue, (message) => events.emit("message", message));
    ready();
    if (signal.aborted) return;
    for await (const [message] of messages as AsyncIterable<[ConsumeMessage]>) {
      yield { read: fromRabbitmq(message), position: `${exchange}/${message.fields.routingKey}` };
      channel.ack(message);
    }
    if (!signal.aborted) throw unreachable(address, new Error("the server closed the connection"));
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function missing(connection: ChannelModel, place: Place): Promise<string | null> {
  const channel = await openChannel(connection);
  try {
    await ("queue" in place ? channel.checkQueue(place.queue) : channel.checkExchange(place.exchange));
    return null;
  } catch {
    return `there is no ${"queue" in place ? `queue ${place.queue}` : `exchange ${place.exchange}`}`;
  }
}

/** A channel whose errors are told by the call that caused them. */
async function openChannel(connection: ChannelModel): Promise<Channel> {
  const channel = await connection.createChannel();
  channel.on("error", () => {});
  return channel;
}

async function connect(address: Address): Promise<ChannelModel> {
  const amqplib = await loadPeer<typeof import("amqplib")>("amqplib");
  const { username, password, path, scheme } = address;
  const { host: hostname, port } = hostAndPort(address, PORTS[scheme] ?? 0);
  const account = username === null ? {} : { username, password: password ?? "" };
  const vhost = path.length > 1 || address.query.has("queue") ? (path[0] ?? "/") : "/";
  try {
    const connection = await amqplib.connect(
      { protocol: scheme, hostname, port, vhost, ...account },
      { timeout: CONNECT_MS },
    );
    connection.on("error", () => {}); // the calls that fail by it say so themselves
    return connection;
  } catch (error) {
    throw unreachable(address, error);
  }
}

function placeOf({ path, query, shown }: Address): Place {
  const queue = query.get("queue");
  if (queue !== null && queue !== "" && path.length < 2) return { queue };
  const exchange = path.at(-1);
  if (queue !== null || exchange === undefined || exchange === "" || path.length > 2) {
    throw new UsageError(`${shown} names no exchange: amqp://host/exchange?key=…, or amqp://host/?queue=…`);
  }
  return { exchange, key: query.get("key") };
}
