/** What is used of a connection: a `NatsConnection` of `@nats-io/transport-node`, or of another transport of theirs. */
export interface NatsConnection {
  isClosed(): boolean;
  /** Resolves when the server has read what was written before. */
  flush(): Promise<void>;
}

/** What is used of the client's headers to write them. */
export interface NatsHeaderWriter {
  append(name: string, value: string): void;
}

/** What is used of `jetstream(connection)` to publish. */
export interface JetStreamPublishClient {
  publish(
    subject: string,
    payload?: Uint8Array,
    options?: { headers?: NatsHeaderWriter; timeout?: number },
  ): Promise<{ readonly stream: string; readonly seq: number; readonly duplicate: boolean }>;
}

/** What is used of `jetstream(connection)` to consume. */
export interface JetStreamConsumeClient {
  readonly consumers: { get(stream: string, name: string): Promise<JetStreamPullConsumer> };
}

/** What is used of a pull consumer. */
export interface JetStreamPullConsumer {
  info(cached?: boolean): Promise<{ readonly config: { readonly ack_wait?: number } }>;
  fetch(options?: { max_messages: number; expires: number }): Promise<JetStreamBatch>;
}

/** What is used of the messages that were asked for. */
export interface JetStreamBatch extends AsyncIterable<JetStreamMessage> {
  close(): Promise<unknown>;
}

/** What is used of a delivered message, beside what is read of it. */
export interface JetStreamMessage {
  readonly data: Uint8Array;
  readonly subject: string;
  readonly headers?: { keys(): Iterable<string>; values(name: string): readonly string[] } | undefined;
  readonly info: { readonly deliveryCount: number };
  ackAck(): Promise<boolean>;
  nak(afterMs?: number): void;
  term(reason?: string): void;
  working(): void;
}
