/** The client's classes, `Producer` and `Consumer` of `@platformatic/kafka`: hand in the module, or an object of the two. */
export interface KafkaClient {
  readonly Producer: new (options: KafkaClientOptions) => KafkaProducerClient;
  readonly Consumer: new (options: KafkaClientOptions & { readonly groupId: string }) => KafkaConsumerClient;
}

/**
 * How the client reaches the servers, as its own options: `clientId`, `bootstrapBrokers`, `tls`, `sasl`, timeouts. What
 * the promises of publisher and consumer rest on is set over them: retries, acknowledgements, idempotence, topic creation,
 * serializers, group settings.
 */
export interface KafkaClientOptions {
  readonly clientId: string;
  /** `host:port` each. */
  readonly bootstrapBrokers: string[];
  readonly [option: string]: unknown;
}

/** What is used of either class. */
export interface KafkaBaseClient {
  readonly currentMetadata: KafkaMetadata | undefined;
  metadata(options: { topics: string[]; autocreateTopics: boolean }): Promise<KafkaMetadata>;
  clearMetadata(): void;
  /** @returns a connection for each of the nodes that the metadata knows */
  connectToBrokers(nodes: number[]): Promise<{ has(node: number): boolean }>;
  on(event: string, listener: (payload: never) => void): unknown;
  close(force?: boolean): Promise<void>;
}

/** What is used of the metadata. */
export interface KafkaMetadata {
  readonly brokers: ReadonlyMap<number, unknown>;
  readonly topics: ReadonlyMap<string, KafkaTopic>;
}

/** A topic in the metadata. */
export interface KafkaTopic {
  /** The topic's UUID. */
  readonly id: string;
  readonly partitionsCount: number;
  readonly partitions: readonly { readonly leader: number }[];
}

/** What is used of a `Producer`. */
export interface KafkaProducerClient extends KafkaBaseClient {
  readonly producerId: bigint | undefined;
  /** Gets a new producer id and starts its sequence numbers anew. */
  initIdempotentProducer(options: object): Promise<unknown>;
  send(options: {
    messages: KafkaOutgoing[];
    acks: number;
    idempotent: boolean;
    autocreateTopics: boolean;
    repeatOnStaleMetadata: boolean;
  }): Promise<{ readonly offsets?: readonly { readonly offset: bigint }[] }>;
}

/** A record as `Producer.send` takes it. */
export interface KafkaOutgoing {
  topic: string;
  partition: number;
  key?: Buffer;
  value?: Buffer;
  headers: Map<Buffer, Buffer>;
  timestamp?: bigint;
}

/** What is used of a `Consumer`. */
export interface KafkaConsumerClient extends KafkaBaseClient {
  memberId: string | null;
  readonly generationId: number;
  readonly assignments: readonly { readonly topic: string; readonly partitions: readonly number[] }[] | null;
  readonly topics: { track(topic: string): boolean };
  findGroupCoordinator(): Promise<number>;
  joinGroup(options: object): Promise<unknown>;
  commit(options: {
    offsets: { topic: string; partition: number; offset: bigint; leaderEpoch: number }[];
  }): Promise<void>;
  listCommittedOffsets(options: {
    topics: { topic: string; partitions: number[] }[];
  }): Promise<ReadonlyMap<string, readonly bigint[]>>;
  listOffsets(options: {
    topics: string[];
    partitions: Record<string, number[]>;
    timestamp: bigint;
  }): Promise<ReadonlyMap<string, readonly bigint[]>>;
  fetch(options: {
    node: number;
    maxWaitTime: number;
    minBytes: number;
    maxBytes: number;
    topics: { topicId: string; partitions: KafkaFetchPartition[] }[];
  }): Promise<KafkaFetchResponse>;
}

/** What is asked of a partition. */
export interface KafkaFetchPartition {
  partition: number;
  fetchOffset: bigint;
  partitionMaxBytes: number;
  /** -1: not known. */
  currentLeaderEpoch: number;
  /** -1: not known. */
  lastFetchedEpoch: number;
}

/** What is used of the answer to a fetch. */
export interface KafkaFetchResponse {
  readonly responses: readonly { readonly partitions: readonly KafkaFetchedPartition[] }[];
}

/** A partition in the answer to a fetch. */
export interface KafkaFetchedPartition {
  readonly partitionIndex: number;
  readonly errorCode: number;
  readonly records?: readonly KafkaBatch[];
}

/** A batch as it is stored. */
export interface KafkaBatch {
  readonly attributes: number;
  readonly firstOffset: bigint;
  readonly lastOffsetDelta: number;
  readonly records: readonly KafkaStoredRecord[];
}

/** A record as it is stored. */
export interface KafkaStoredRecord {
  readonly offsetDelta: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: readonly (readonly [name: Buffer | null, value: Buffer | null])[];
}
