import { UsageError } from "../io/exit.js";
import { type Address, parseAddress } from "./address.js";
import type { Transport } from "./transport.js";

/** A transport that the command knows. Its file and its client are loaded when it is used. */
export interface TransportEntry {
  readonly name: string;
  readonly schemes: readonly string[];
  /** For people: what an address looks like. */
  readonly example: string;
  /** The packages of its client. */
  readonly peers: readonly string[];
  readonly load: () => Promise<Transport>;
}

/** Every transport, in the order of the documentation. */
export const TRANSPORTS: readonly TransportEntry[] = [
  {
    name: "Kafka",
    schemes: ["kafka", "kafka+tls"],
    example: "kafka://host:9092/topic",
    peers: ["@platformatic/kafka"],
    load: async () => (await import("./kafka.js")).kafka,
  },
  {
    name: "NATS JetStream",
    schemes: ["nats", "nats+tls"],
    example: "nats://host/subject",
    peers: ["@nats-io/transport-node", "@nats-io/jetstream"],
    load: async () => (await import("./nats.js")).nats,
  },
  {
    name: "RabbitMQ",
    schemes: ["amqp", "amqps"],
    example: "amqp://host/exchange",
    peers: ["amqplib"],
    load: async () => (await import("./rabbitmq.js")).rabbitmq,
  },
  {
    name: "Google Pub/Sub",
    schemes: ["pubsub"],
    example: "pubsub://project/topic",
    peers: ["@google-cloud/pubsub"],
    load: async () => (await import("./google-pubsub.js")).googlePubsub,
  },
  {
    name: "Redis Streams",
    schemes: ["redis", "rediss"],
    example: "redis://host/stream",
    peers: ["ioredis"],
    load: async () => (await import("./redis.js")).redis,
  },
  {
    name: "SQS",
    schemes: ["https", "http"],
    example: "https://sqs…/account/queue",
    peers: ["@aws-sdk/client-sqs"],
    load: async () => (await import("./sqs.js")).sqs,
  },
];

/** The forms of address, a line each, for help. */
export const ADDRESSES: string = TRANSPORTS.map(({ name, example }) => `  ${example.padEnd(32)}${name}`).join("\n");

/** A transport, and the address that it was chosen by. */
export interface Chosen {
  readonly entry: TransportEntry;
  readonly address: Address;
}

/**
 * Chooses the transport of a URL: the one place that knows which is which.
 *
 * @throws `UsageError` for what is no URL, and for a scheme that no transport has
 */
export function chooseTransport(text: string): Chosen {
  const address = parseAddress(text);
  const entry = TRANSPORTS.find(({ schemes }) => schemes.includes(address.scheme));
  if (entry === undefined) {
    const known = TRANSPORTS.map(({ example }) => example).join(", ");
    throw new UsageError(`no transport has ${address.scheme}://; there are ${known}`);
  }
  return { entry, address };
}
