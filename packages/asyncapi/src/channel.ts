/** What the application does with a channel. */
export type ChannelAction = "send" | "receive";

/** What every channel says. */
export interface ChannelBase {
  /** Only hooks of this source. Absent or null: of any. */
  readonly source?: string | null | undefined;
  /** Only hooks of this tenant; null: only hooks without one. Absent: of any tenant, and without one. */
  readonly tenant?: string | null | undefined;
  /** What the application does. Default: both, as a document for producers and consumers. */
  readonly actions?: readonly ChannelAction[] | null | undefined;
}

/** A channel whose brokers have to be named. */
export interface ServedChannel extends ChannelBase {
  /**
   * Where the brokers are, as URLs without credentials, query or fragment; at least one. Schemes: `kafka` or
   * `kafka-secure`, `nats` or `tls`, `amqp` or `amqps` (the path is the virtual host), `redis` or `rediss` (the path is
   * the database).
   */
  readonly servers: readonly string[];
}

/** A Kafka topic. */
export interface KafkaChannel extends ServedChannel {
  readonly transport: "kafka";
  /** 1 to 249 ASCII letters, digits, `.`, `_` and `-`. */
  readonly topic: string;
}

/** A NATS JetStream subject. */
export interface NatsChannel extends ServedChannel {
  readonly transport: "nats";
  /** At most 255 bytes, no wildcard, no white space or control character, no empty token. */
  readonly subject: string;
}

/** A RabbitMQ exchange and routing key. */
export interface RabbitmqChannel extends ServedChannel {
  readonly transport: "rabbitmq";
  /** At most 255 bytes; `""` is the broker's default exchange. */
  readonly exchange: string;
  /** At most 255 bytes. Default: `ankusa.<source_id>`, with a parameter in its place when no source is named. */
  readonly routingKey?: string | null | undefined;
}

/** A Redis stream or pub/sub channel: exactly one of the two. */
export interface RedisChannel extends ServedChannel {
  readonly transport: "redis";
  /** Key of a stream (durable), at most 255 bytes. */
  readonly stream?: string | null | undefined;
  /** Name of a pub/sub channel, at most 255 bytes. */
  readonly channel?: string | null | undefined;
}

/** An SQS queue; its server is the host of the URL. */
export interface SqsChannel extends ChannelBase {
  readonly transport: "sqs";
  /** At most 255 bytes, without credentials, query or fragment; a FIFO queue's ends in `.fifo`, slashes aside. */
  readonly queueUrl: string;
}

/** A Google Pub/Sub topic. */
export interface GooglePubsubChannel extends ChannelBase {
  readonly transport: "google-pubsub";
  /** A topic's name, or `projects/<project>/topics/<name>`; at most 255 bytes. */
  readonly topic: string;
  /** `https` URLs (`http` for an emulator) of the service. Default `https://pubsub.googleapis.com`. */
  readonly servers?: readonly string[] | null | undefined;
}

/** Where sink messages travel: one address of one transport, of all hooks or those of one source or tenant. */
export type Channel = KafkaChannel | NatsChannel | RabbitmqChannel | RedisChannel | SqsChannel | GooglePubsubChannel;
