import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { KafkaClient, KafkaClientOptions } from "./client.js";
import { isTimeout } from "./client-error.js";
import { createLane, type Lane, type OutgoingRecord, RETRY_PAUSE_MS, type Sending } from "./lane.js";
import { openClient } from "./open-client.js";
import { partitionOf } from "./partition-of.js";
import { publishErrorOf } from "./publish-error.js";
import { createTopicLookup, HopelessError } from "./topic-lookup.js";

/** How long what is known of topics and leaders is good, in milliseconds; an error ends it. Kafka's own default. */
export const METADATA_MAX_AGE_MS = 300_000;

/** All in-sync replicas. */
const ACKS = -1;

const NO_KEY = new Uint8Array(0);

/** Where a record was stored. */
export interface StoredAt {
  readonly partition: number;
  readonly offset: bigint;
}

/** How to send one record. */
export interface SendOptions {
  /** Called just before it may leave, once; throws when nobody waits any more, and then it is not sent. */
  readonly written: () => void;
  /** Its signal aborts when nobody waits any more. */
  readonly call: { readonly signal: AbortSignal };
}

/** Sends records to one topic, in order. */
export interface Sender {
  /**
   * Sends a record behind those of its partition that were handed in before. It is sent again until a server says what
   * became of it.
   *
   * @throws PublishError when they refuse it; what `written` threw
   */
  send(record: OutgoingRecord, options: SendOptions): Promise<StoredAt>;
  /** @throws HopelessError when the topic does not exist or may not be used; the client's error when that is not known */
  check(): Promise<void>;
  /** Gives up what is not settled and closes the client. */
  close(): Promise<void>;
}

/**
 * Makes a sender with a producer of its own.
 *
 * @param kafka - the client's classes
 * @param options - the client's options
 * @param topic - it has to exist; none is created
 */
export function createSender(kafka: Pick<KafkaClient, "Producer">, options: KafkaClientOptions, topic: string): Sender {
  const { client, ...opened } = openClient(
    new kafka.Producer({
      metadataMaxAge: METADATA_MAX_AGE_MS,
      ...options,
      // The client would use the sequence numbers of a batch that timed out for the next one, and the server drop that.
      retries: 0,
      autocreateTopics: false,
      serializers: undefined,
      beforeSerialization: undefined,
      registry: undefined,
    }),
  );
  const closing = new AbortController();
  // All lanes listen.
  setMaxListeners(0, closing.signal);
  const lanes = new Map<number, Lane>();
  /** What is not settled. */
  const open = new Set<Sending>();
  /** What has no partition yet. */
  const undealt = new Set<Sending>();
  let isDealing = false;

  const lookUp = createTopicLookup(topic);
  const leaderOf = (partition: number): number => {
    const { brokers, topics } = client.currentMetadata ?? {};
    const leader = topics?.get(topic)?.partitions[partition]?.leader;
    if (leader === undefined || !brokers?.has(leader)) throw new Error(`partition ${partition} has no leader`);
    return leader;
  };
  const forget = ({ connections }: { readonly connections: boolean }): void => {
    client.clearMetadata();
    if (connections) opened.drop();
  };
  const openLane = (partition: number): Lane =>
    createLane({
      topic,
      closing: closing.signal,
      forget,
      async prepare(isRenumbered) {
        closing.signal.throwIfAborted();
        await lookUp(client);
        const leader = leaderOf(partition);
        const connected = await client.connectToBrokers([leader]);
        if (!connected.has(leader)) throw new Error(`the leader of partition ${partition} is not there`);
        if (isRenumbered || client.producerId === undefined) await client.initIdempotentProducer({});
      },
      async send(batch) {
        // The client would end the process for a leader that it does not know.
        leaderOf(partition);
        const { offsets } = await client.send({
          messages: batch.map(({ key, value, headers, timestamp }) => ({
            ...{ topic, partition, headers: new Map(headers) },
            ...(key === null ? {} : { key }),
            ...(value === null ? {} : { value }),
            ...(timestamp === undefined ? {} : { timestamp }),
          })),
          acks: ACKS,
          idempotent: true,
          autocreateTopics: false,
          repeatOnStaleMetadata: false,
        });
        const first = offsets?.[0];
        if (first === undefined) throw new Error("the answer tells no offset");
        return first.offset;
      },
    });
  const laneOf = (partition: number): Lane => {
    const lane = lanes.get(partition) ?? openLane(partition);
    lanes.set(partition, lane);
    return lane;
  };

  /** Deals out what waits to the partitions, in order. */
  const deal = async (): Promise<void> => {
    isDealing = true;
    while (undealt.size > 0) {
      try {
        const { partitionsCount } = await lookUp(client);
        for (const sending of undealt) {
          undealt.delete(sending);
          const partition = partitionOf(sending.record.key ?? NO_KEY, partitionsCount);
          sending.partition = partition;
          laneOf(partition).add(sending);
        }
      } catch (error) {
        if (error instanceof HopelessError) {
          const failed = publishErrorOf(error.cause, topic, "not_published");
          for (const sending of undealt) sending.reject(failed);
        } else {
          forget({ connections: isTimeout(error) });
          await sleep(RETRY_PAUSE_MS, undefined, { signal: closing.signal }).catch(() => {});
        }
      }
    }
    isDealing = false;
  };

  return {
    send: (record, { written, call }) =>
      new Promise((resolve, reject) => {
        closing.signal.throwIfAborted();
        const settle = (): void => {
          open.delete(sending);
          sending.queue.delete(sending);
        };
        const sending: Sending = {
          record,
          call,
          queue: undealt,
          partition: 0,
          written,
          resolve(offset) {
            settle();
            resolve({ partition: sending.partition, offset });
          },
          reject(error) {
            settle();
            reject(error);
          },
        };
        open.add(sending);
        undealt.add(sending);
        if (!isDealing) void deal();
      }),
    async check() {
      await lookUp(client);
    },
    async close() {
      closing.abort(new Error("the producer was closed"));
      for (const sending of open) sending.reject(closing.signal.reason);
      await opened.close();
    },
  };
}
