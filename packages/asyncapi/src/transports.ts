import { MAX_ADDRESS_BYTES } from "@sinkwire/delivery/adapter";
import { attributesSet, type HeaderPair, type Hook, headersSet } from "@sinkwire/message";
import type { Channel } from "./channel.js";
import type { JsonObject, ServerObject } from "./document.js";
import type { Options } from "./options.js";
import { serverOf } from "./server-url.js";

/** Where a channel's messages go, and what AsyncAPI's bindings say of it. */
export interface Address {
  readonly servers: readonly ServerObject[];
  readonly address: string;
  /** Whether the braces in the address are parameters. */
  readonly template: boolean;
  /** What tells two channels of one address apart. */
  readonly within: string;
  readonly description: string;
  readonly channelBinding: JsonObject | null;
  readonly operationBindings: { readonly send: JsonObject | null; readonly receive: JsonObject | null };
}

/** What is known of a transport. */
interface Transport {
  /** The name that AsyncAPI's bindings have for it. */
  readonly binding: string;
  /** Options beside the common ones. */
  readonly names: readonly string[];
  /** It names the version of the transport's bindings: the one place where AsyncAPI 3.0 takes that of every transport. */
  readonly messageBinding: JsonObject;
  /** The metadata that it carries beside a message; null when it carries none. */
  readonly metadata: ((hook: Hook) => HeaderPair[]) | null;
  readonly read: (options: Options, source: string | null) => Address;
}

const NO_BINDINGS = { send: null, receive: null };
const address = { maxBytes: MAX_ADDRESS_BYTES };

/** The default endpoint of the service. */
const PUBSUB_SERVER = "https://pubsub.googleapis.com";
/** By the documentation of Kafka: `.` and `..` are no topics. */
const KAFKA_TOPIC = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,249}$/;
/** The characters of a Pub/Sub topic's name, and the slashes of its path. */
const PUBSUB_TOPIC = /^(?:projects\/[a-z0-9.:-]+\/topics\/)?[A-Za-z][A-Za-z0-9._~+%-]{2,254}$/;
/** White space ends a subject on the protocol's line. */
const NOT_IN_SUBJECT = /[\0- ]/;

/** Every transport, by the name that channels have for it. */
export const TRANSPORTS: Readonly<Record<Channel["transport"], Transport>> = {
  kafka: {
    binding: "kafka",
    names: ["servers", "topic"],
    messageBinding: {
      key: {
        type: "string",
        description: "The ordering key of the message, else <tenant>/<source> unless the producer sets another.",
      },
      bindingVersion: "0.5.0",
    },
    metadata: headersSet,
    read: (options) => {
      const topic = options.text("topic", {
        ...address,
        fault: (text) => (KAFKA_TOPIC.test(text) ? null : "expected 1 to 249 letters, digits, dots, _ and -"),
      });
      return {
        servers: serversOf("kafka", options),
        ...plain(topic, "A Kafka topic; the message is the record's value."),
        channelBinding: { topic, bindingVersion: "0.5.0" },
      };
    },
  },
  nats: {
    binding: "nats",
    names: ["servers", "subject"],
    messageBinding: { bindingVersion: "0.1.0" },
    metadata: headersSet,
    read: (options) => ({
      servers: serversOf("nats", options),
      ...plain(
        options.text("subject", { ...address, fault: subjectFault }),
        "A subject of NATS JetStream; the message is the payload.",
      ),
      operationBindings: { send: { bindingVersion: "0.1.0" }, receive: { bindingVersion: "0.1.0" } },
    }),
  },
  rabbitmq: {
    binding: "amqp",
    names: ["servers", "exchange", "routingKey"],
    messageBinding: { bindingVersion: "0.3.0" },
    metadata: attributesSet,
    read: (options, source) => {
      const exchange = options.text("exchange", { ...address, empty: true });
      const given = options.optionalText("routingKey", { ...address, empty: true });
      const routingKey = given ?? `ankusa.${source ?? "{source_id}"}`;
      options.checkText(routingKey, given === null ? "source" : "routingKey", { ...address, empty: true });
      return {
        servers: serversOf("rabbitmq", options),
        ...plain(routingKey, "A routing key of a RabbitMQ exchange; the message is the body."),
        template: given === null && source === null,
        within: exchange,
        channelBinding: {
          is: "routingKey",
          exchange: { name: exchange, type: exchange === "" ? "default" : "topic", durable: true, autoDelete: false },
          bindingVersion: "0.3.0",
        },
        operationBindings: {
          send: { deliveryMode: 2, mandatory: true, bindingVersion: "0.3.0" },
          receive: { ack: true, bindingVersion: "0.3.0" },
        },
      };
    },
  },
  redis: {
    binding: "redis",
    names: ["servers", "stream", "channel"],
    messageBinding: { bindingVersion: "0.1.0" },
    metadata: null,
    read: (options) => {
      const stream = options.optionalText("stream", address);
      const channel = options.optionalText("channel", address);
      if (stream !== null && channel !== null) throw options.invalid("channel", "a stream was named already");
      return {
        servers: serversOf("redis", options),
        ...(stream === null
          ? plain(channel ?? options.text("stream"), "A Redis channel (pub/sub); the message is the payload.")
          : plain(stream, "A Redis stream; the message is the field `message` of an entry.")),
        within: stream === null ? "channel" : "stream",
      };
    },
  },
  sqs: {
    binding: "sqs",
    names: ["queueUrl"],
    messageBinding: { bindingVersion: "0.3.0" },
    metadata: attributesSet,
    read: (options) => {
      const queueUrl = options.text("queueUrl", address);
      const { server, url } = serverOf("sqs", queueUrl, "queueUrl", options);
      const name = url.pathname.split("/").findLast((segment) => segment !== "") ?? "";
      if (name === "") throw options.invalid("queueUrl", "the path names no queue");
      const queue = { name, fifoQueue: name.endsWith(".fifo") };
      const operation = { queues: [queue] };
      return {
        servers: [server],
        ...plain(queueUrl, "An SQS queue; the message is the body, and metadata are message attributes."),
        within: name,
        // Equal in 0.2.0 and 0.3.0; the schema of AsyncAPI 3.0 does not let a queue name the latter.
        channelBinding: { queue },
        operationBindings: { send: operation, receive: operation },
      };
    },
  },
  "google-pubsub": {
    binding: "googlepubsub",
    names: ["servers", "topic"],
    messageBinding: { bindingVersion: "0.2.0" },
    metadata: attributesSet,
    read: (options) => ({
      servers:
        (options.value("servers") ?? null) === null
          ? [serverOf("google-pubsub", PUBSUB_SERVER, "servers", options).server]
          : serversOf("google-pubsub", options),
      ...plain(
        options.text("topic", {
          ...address,
          fault: (text) => (PUBSUB_TOPIC.test(text) ? null : "expected a topic's name, or projects/…/topics/…"),
        }),
        "A topic of Google Cloud Pub/Sub; the message is the data, and metadata are attributes.",
      ),
    }),
  },
};

function plain(given: string, description: string): Omit<Address, "servers"> {
  return {
    address: given,
    template: false,
    within: "",
    description,
    channelBinding: null,
    operationBindings: NO_BINDINGS,
  };
}

function serversOf(transport: Channel["transport"], options: Options): readonly ServerObject[] {
  return options.list("servers").map((one) => serverOf(transport, one, "servers", options).server);
}

function subjectFault(subject: string): string | null {
  if (NOT_IN_SUBJECT.test(subject)) return "a subject holds no white space and no control character";
  const tokens = subject.split(".");
  if (tokens.includes("")) return "the subject holds an empty token";
  return tokens.includes("*") || tokens.includes(">") ? "messages are not published to a wildcard" : null;
}
