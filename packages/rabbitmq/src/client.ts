/** What is used of a connection of amqplib: a recovering one (`recovery: true`), or a plain one. */
export interface RabbitmqConnection {
  createConfirmChannel(): Promise<RabbitmqConfirmChannel>;
  createChannel(): Promise<RabbitmqChannel>;
  on(event: "blocked" | "unblocked", listener: () => void): unknown;
  removeListener(event: "blocked" | "unblocked", listener: () => void): unknown;
}

/** What is used of any channel. */
export interface RabbitmqAnyChannel {
  on(event: "error", listener: (error: unknown) => void): unknown;
  on(event: "close", listener: () => void): unknown;
  close(): Promise<unknown>;
}

/** What is used of a channel to publish. */
export interface RabbitmqConfirmChannel extends RabbitmqAnyChannel {
  on(event: "error", listener: (error: unknown) => void): unknown;
  on(event: "close" | "drain", listener: () => void): unknown;
  on(event: "return", listener: (message: ReturnedRabbitmqMessage) => void): unknown;
  assertExchange(exchange: string, type: string, options: { durable: boolean }): Promise<unknown>;
  checkExchange(exchange: string): Promise<unknown>;
  publish(
    exchange: string,
    routingKey: string,
    content: Buffer,
    options: RabbitmqProperties,
    confirmed: (error: unknown) => void,
  ): boolean;
}

/** What is used of a channel to consume. */
export interface RabbitmqChannel extends RabbitmqAnyChannel {
  prefetch(count: number): Promise<unknown>;
  consume(
    queue: string,
    received: (message: ReceivedRabbitmqMessage | null) => void,
    options: { noAck: boolean },
  ): Promise<{ readonly consumerTag: string }>;
  cancel(consumerTag: string): Promise<unknown>;
  ack(message: ReceivedRabbitmqMessage): void;
  nack(message: ReceivedRabbitmqMessage, allUpTo: boolean, requeue: boolean): void;
  reject(message: ReceivedRabbitmqMessage, requeue: boolean): void;
}

/** Native fields and headers of a publish, as amqplib takes them. */
export interface RabbitmqProperties {
  readonly contentType: "application/json";
  /** Persistent. */
  readonly deliveryMode: 2;
  /** The hook's id; not there when it is over 255 bytes. */
  readonly messageId?: string;
  /** The attributes set, in its order. */
  readonly headers: Record<string, string>;
  /** The broker returns what it cannot route. */
  readonly mandatory: true;
}

/** What is used of a message that the server returned, for want of a queue. */
export interface ReturnedRabbitmqMessage {
  readonly content: Buffer;
  readonly fields: { readonly routingKey: string };
}

/** What is used of a delivered message, beside what is read of it. */
export interface ReceivedRabbitmqMessage {
  readonly content: Buffer;
  readonly fields: { readonly deliveryTag: number; readonly redelivered: boolean };
  readonly properties: { readonly headers?: Readonly<Record<string, unknown>> | undefined };
}
