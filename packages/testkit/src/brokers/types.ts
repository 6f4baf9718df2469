/** The servers that tests run against. `s3` keeps claim bodies, `postgres` the inbox; the others carry messages. */
export type BrokerName = MessageBroker | "s3" | "postgres";

/** Those of them that carry messages. */
export type MessageBroker = "kafka" | "nats" | "rabbitmq" | "redis" | "sqs" | "google-pubsub";

/** A server that answers. */
export interface Broker {
  readonly name: BrokerName;
  /** Product and version that really run, as `Apache Kafka 4.4.0`. */
  readonly version: string;
  /** What a client takes: `host:port` for Kafka and Google Pub/Sub, else a URL. */
  readonly url: string;
  /** Whether what the server has taken outlives {@link Broker.restart} and {@link Broker.kill}. */
  readonly durable: boolean;
  /** Its process group's leader; null when it was reached by its URL variable, or does not run at the moment. */
  readonly pid: number | null;
  /** Its temporary folder, which holds `server.log`; null when it was reached by its URL variable. */
  readonly folder: string | null;
  /** From the start of its process until it answered; null when it was reached by its URL variable. */
  readonly startedInMs: number | null;

  /** Ends it in order, whatever state it is in, and removes its folder. Nothing to do for one reached by its variable. */
  stop(): Promise<void>;
  /** Ends it at once, as a crash would; its data and port stay for {@link Broker.restart}. */
  kill(): Promise<void>;
  /** Stops it from running while its connections stay open. */
  freeze(): void;
  /** Undoes {@link Broker.freeze}. */
  resume(): void;
  /**
   * Ends it in order if it runs, and starts it again on the same port and data. Resolves when it answers.
   *
   * @throws Error when it ends or does not answer in time
   */
  restart(options?: WaitOptions): Promise<void>;
}

/** Options of whatever waits. */
export interface WaitOptions {
  /** Ends the wait with its reason. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of `startBroker`. */
export interface StartOptions extends WaitOptions {
  /** Start one even when the URL variable names one: for tests that freeze, kill or restart it. Default false. */
  readonly own?: boolean;
}
