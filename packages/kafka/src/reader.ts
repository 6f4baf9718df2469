import { setTimeout as sleep } from "node:timers/promises";
import type { DeliveryQueue } from "@sinkwire/delivery/adapter";
import type {
  KafkaBatch,
  KafkaClient,
  KafkaClientOptions,
  KafkaConsumerClient,
  KafkaFetchedPartition,
  KafkaStoredRecord,
} from "./client.js";
import { isHopeless, isTimeout } from "./client-error.js";
import { openClient } from "./open-client.js";
import type { Partition } from "./partition.js";
import { METADATA_MAX_AGE_MS } from "./sender.js";
import { createTopicLookup, HopelessError } from "./topic-lookup.js";

/** How long a server holds a request for records, in milliseconds: Kafka's own default. */
const MAX_WAIT_MS = 500;

/** Pause after an error, in milliseconds. */
const PAUSE_MS = 250;

/** The bit of a batch's attributes that says that it holds no records but markers of transactions. */
const IS_CONTROL = 0b100000;

/** The protocol's code for an offset that the log does not have (any more). */
const OFFSET_OUT_OF_RANGE = 1;

/** Asks for the oldest offset. */
const EARLIEST = -2n;

/** What is read, and what happens to it. */
export interface ReaderOptions {
  readonly kafka: Pick<KafkaClient, "Consumer">;
  readonly client: KafkaClientOptions;
  readonly topic: string;
  readonly group: string;
  /** By their ids. Those that had records go to the end, so that none waits for ever. */
  readonly partitions: Map<number, Partition>;
  /** Most deliveries that wait to be handled. */
  readonly prefetch: number;
  /** Most bytes of one answer; a batch that is larger comes alone. */
  readonly fetchBytes: number;
  receive(
    queue: DeliveryQueue,
    partition: Partition,
    offset: bigint,
    record: KafkaStoredRecord,
    ended: AbortSignal,
  ): void;
  /** Called when a partition's log does not have its position, with its oldest offset. */
  outOfRange(partition: Partition, earliest: bigint): void;
  /** Called when another try does not help. */
  failed(error: unknown): void;
}

/** Reads the partitions, with one request at a time to each server. */
export interface Reader {
  /** Reads for a queue until the signal aborts. */
  read(queue: DeliveryQueue, ended: AbortSignal): void;
  /** To be called when a partition may have become due. */
  wake(): void;
  /** The oldest offsets of partitions. */
  earliest(partitions: readonly number[]): Promise<ReadonlyMap<number, bigint>>;
  close(): Promise<void>;
}

/** Makes a reader with a client of its own: a request for records would hold up heartbeats and commits. */
export function createReader(options: ReaderOptions): Reader {
  const { topic, partitions, prefetch, fetchBytes } = options;
  const { client, ...opened } = openClient<KafkaConsumerClient>(
    new options.kafka.Consumer({
      metadataMaxAge: METADATA_MAX_AGE_MS,
      ...options.client,
      groupId: options.group,
      retries: 0,
      autocreateTopics: false,
    }),
  );
  const lookUp = createTopicLookup(topic);
  let session: { readonly queue: DeliveryQueue; readonly ended: AbortSignal } | null = null;
  let busy = new Set<number>();
  let isWaking = false;
  let isWoken = false;

  const leaderOf = (id: number): number => client.currentMetadata?.topics.get(topic)?.partitions[id]?.leader ?? -1;
  const due = (): Partition[] => Array.from(partitions.values()).filter(({ isDue }) => isDue);

  /** Starts a loop for each server that has something to read and no loop yet. */
  const wake = async (): Promise<void> => {
    isWoken = true;
    if (isWaking) return;
    isWaking = true;
    while (isWoken && session !== null && !session.ended.aborted) {
      isWoken = false;
      const { queue, ended } = session;
      try {
        if (due().length > 0) await lookUp(client);
        for (const node of new Set(due().map(({ id }) => leaderOf(id)))) {
          if (busy.has(node) || ended.aborted) continue;
          if (!client.currentMetadata?.brokers.has(node)) throw new Error(`server ${node} is not there`);
          void loop(node, queue, ended);
        }
      } catch (error) {
        await pauseAfter(error, ended);
        isWoken = true;
      }
    }
    isWaking = false;
  };
  const pauseAfter = async (error: unknown, ended: AbortSignal): Promise<void> => {
    if (ended.aborted) return;
    if (error instanceof HopelessError || isHopeless(error)) return options.failed(error);
    client.clearMetadata();
    if (isTimeout(error)) opened.drop();
    await sleep(PAUSE_MS, undefined, { signal: ended }).catch(() => {});
  };

  const loop = async (node: number, queue: DeliveryQueue, ended: AbortSignal): Promise<void> => {
    const nodes = busy;
    nodes.add(node);
    try {
      while (!ended.aborted) {
        await queue.below(prefetch);
        const wanted = due().filter(({ id }) => leaderOf(id) === node);
        if (ended.aborted || wanted.length === 0) break;
        await fetchOnce(node, wanted, queue, ended);
      }
    } catch (error) {
      await pauseAfter(error, ended);
    }
    nodes.delete(node);
    void wake();
  };
  const fetchOnce = async (
    node: number,
    wanted: readonly Partition[],
    queue: DeliveryQueue,
    ended: AbortSignal,
  ): Promise<void> => {
    const asked = new Map(wanted.map((partition) => [partition.id, { partition, seeks: partition.seeks }]));
    const answer = await client
      .fetch({
        ...{ node, maxWaitTime: MAX_WAIT_MS, minBytes: 1, maxBytes: fetchBytes },
        topics: [
          {
            topicId: client.currentMetadata?.topics.get(topic)?.id ?? "",
            partitions: wanted.map(({ id, position }) => ({
              ...{ partition: id, fetchOffset: position ?? 0n, partitionMaxBytes: fetchBytes },
              ...{ currentLeaderEpoch: -1, lastFetchedEpoch: -1 },
            })),
          },
        ],
      })
      .catch(async (error: { readonly response?: { readonly responses?: typeof answer.responses } }) => {
        await moveInRange(error.response?.responses ?? []);
        throw error;
      });
    for (const { partitionIndex, records } of answer.responses.flatMap((one) => one.partitions)) {
      const one = asked.get(partitionIndex);
      if (one === undefined || records === undefined) continue;
      await deliver(one.partition, one.seeks, records, queue, ended);
      if (partitions.get(partitionIndex) !== one.partition) continue;
      partitions.delete(partitionIndex);
      partitions.set(partitionIndex, one.partition);
    }
  };
  /** Hands over what was read, as there is room, until the partition is sought back or taken away. */
  const deliver = async (
    partition: Partition,
    seeks: number,
    batches: readonly KafkaBatch[],
    queue: DeliveryQueue,
    ended: AbortSignal,
  ): Promise<void> => {
    const isStale = (): boolean => ended.aborted || !partition.isDue || partition.seeks !== seeks;
    for (const batch of batches) {
      const isControl = (batch.attributes & IS_CONTROL) !== 0;
      for (const record of isControl ? [] : batch.records) {
        if (queue.size >= prefetch) await queue.below(prefetch);
        if (isStale()) return;
        const offset = batch.firstOffset + BigInt(record.offsetDelta);
        if (offset < (partition.position ?? 0n)) continue;
        partition.position = offset + 1n;
        options.receive(queue, partition, offset, record, ended);
      }
      if (isStale()) return;
      const next = batch.firstOffset + BigInt(batch.lastOffsetDelta) + 1n;
      if (next > (partition.position ?? 0n)) partition.position = next;
    }
  };
  const moveInRange = async (
    responses: readonly { readonly partitions: readonly KafkaFetchedPartition[] }[],
  ): Promise<void> => {
    const lost = responses
      .flatMap((one) => one.partitions)
      .filter(({ errorCode }) => errorCode === OFFSET_OUT_OF_RANGE)
      .map(({ partitionIndex }) => partitionIndex);
    if (lost.length === 0) return;
    const before = lost.map((id) => partitions.get(id));
    for (const [id, offset] of await earliest(lost)) {
      const partition = partitions.get(id);
      if (partition !== undefined && before.includes(partition)) options.outOfRange(partition, offset);
    }
  };
  const earliest = async (ids: readonly number[]): Promise<ReadonlyMap<number, bigint>> => {
    await lookUp(client);
    const brokers = client.currentMetadata?.brokers;
    // The client would end the process for a leader that it does not know.
    if (!ids.every((id) => brokers?.has(leaderOf(id)))) throw new Error("a partition has no leader");
    const found = await client.listOffsets({ topics: [topic], partitions: { [topic]: [...ids] }, timestamp: EARLIEST });
    return new Map(ids.map((id) => [id, found.get(topic)?.[id] ?? 0n]));
  };

  return {
    read(queue, ended) {
      session = { queue, ended };
      busy = new Set();
      void wake();
    },
    wake: () => void wake(),
    earliest,
    async close() {
      session = null;
      opened.drop();
      await opened.close();
    },
  };
}
