import { randomUUID } from "node:crypto";
import type { Consumer } from "@platformatic/kafka";
import { createKafkaPublisher, fromKafka } from "@sinkwire/kafka";
import { Unreachable, UsageError } from "../io/exit.js";
import type { Address } from "./address.js";
import { CONNECT_MS, told } from "./connecting.js";
import { loadPeer } from "./peer.js";
import type { Transport } from "./transport.js";

type Client = typeof import("@platformatic/kafka");

const loadClient = (): Promise<Client> => loadPeer("@platformatic/kafka");

/** Instead of a time, in a question for offsets: the end and the beginning of a partition. */
const LATEST = -1n;
const EARLIEST = -2n;

/** How long a server holds a request for records, in milliseconds: a stop waits for its answer. */
const FETCH_MS = 500;

/** Kafka: `kafka://[user:password@]host:port[,host:port]/topic` (SASL/PLAIN), `kafka+tls://…`. */
export const kafka: Transport = {
  async publisher(address) {
    const topic = topicOf(address);
    const { Producer } = await loadClient();
    await using(address, async () => {}); // the publisher itself tries for longer than a person waits
    return createKafkaPublisher({ kafka: { Producer }, client: { ...clientOptions(address) }, topic });
  },

  async *tail(address, { since, follow, signal, ready }) {
    const topic = topicOf(address);
    // In a group that nobody else is in, and that never commits.
    const consumer = await open(address);
    try {
      await told(address, consumer.metadata({ topics: [], autocreateTopics: false }));
      const partitions = await partitionsOf(consumer, topic);
      if (partitions === null) throw new Unreachable(`${address.shown}: there is no topic ${topic}`);
      const offsetsAt = async (timestamp: bigint): Promise<readonly bigint[]> => {
        const offsets = await told(address, consumer.listOffsets({ topics: [topic], timestamp }));
        return offsets.get(topic) ?? [];
      };
      const ends = await offsetsAt(LATEST);
      const from = since === null ? ends : await offsetsAt(since === 0 ? EARLIEST : BigInt(since));
      // A time after the last record has no offset.
      const starts = partitions.map((partition) => {
        const start = from[partition] ?? LATEST;
        return { topic, partition, offset: start < 0n ? (ends[partition] ?? 0n) : start };
      });
      const left = new Set(
        starts.filter(({ partition, offset }) => offset < (ends[partition] ?? 0n)).map((one) => one.partition),
      );
      const options = {
        topics: [topic],
        mode: "manual" as const,
        offsets: starts,
        autocommit: false,
        maxWaitTime: FETCH_MS,
      };
      const stream = await told(address, consumer.consume(options));
      const stop = (): void => void stream.close().catch(() => {});
      signal.addEventListener("abort", stop, { once: true });
      try {
        ready();
        if (signal.aborted || (!follow && left.size === 0)) return;
        for await (const record of stream) {
          const { partition, offset } = record;
          if (!follow && offset >= (ends[partition] ?? 0n)) continue;
          yield { read: fromKafka(record), position: `${partition}:${offset}` };
          if (offset + 1n >= (ends[partition] ?? 0n)) left.delete(partition);
          if (!follow && left.size === 0) return;
        }
      } finally {
        signal.removeEventListener("abort", stop);
        await stream.close().catch(() => {}); // it may be closed
      }
    } finally {
      await consumer.close(true);
    }
  },

  async probe(address) {
    const topic = address.path.length === 0 ? null : topicOf(address);
    return using(address, async (consumer, brokers) => {
      const isThere = topic === null || (await partitionsOf(consumer, topic)) !== null;
      const server = `Kafka, ${brokers} broker${brokers === 1 ? "" : "s"}`;
      return { server, clockMs: null, fault: isThere ? null : `there is no topic ${topic}` };
    });
  },
};

/** Does something with a client, when a server has answered it. */
async function using<T>(address: Address, work: (consumer: Consumer, brokers: number) => Promise<T>): Promise<T> {
  const consumer = await open(address);
  try {
    const { brokers } = await told(address, consumer.metadata({ topics: [], autocreateTopics: false }));
    return await work(consumer, brokers.size);
  } finally {
    await consumer.close(true);
  }
}

async function open(address: Address): Promise<Consumer> {
  const { Consumer } = await loadClient();
  const consumer = new Consumer({ ...clientOptions(address), groupId: `sinkwire-${randomUUID()}` });
  consumer.on("error", () => {}); // the calls that fail by it say so themselves
  return consumer;
}

/** The partitions of a topic; null when it does not exist. */
async function partitionsOf(consumer: Consumer, topic: string): Promise<readonly number[] | null> {
  try {
    const { topics } = await consumer.metadata({ topics: [topic], autocreateTopics: false });
    return Array.from({ length: topics.get(topic)?.partitionsCount ?? 0 }, (_, partition) => partition);
  } catch {
    return null;
  }
}

function clientOptions({ host, scheme, username, password }: Address) {
  return {
    clientId: "sinkwire",
    bootstrapBrokers: host.split(","),
    connectTimeout: CONNECT_MS,
    retries: 1,
    ...(scheme === "kafka+tls" ? { tls: {} } : {}),
    ...(username === null ? {} : { sasl: { mechanism: "PLAIN" as const, username, password: password ?? "" } }),
  };
}

function topicOf({ path, shown }: Address): string {
  const [topic, more] = path;
  if (topic === undefined || topic === "" || more !== undefined) {
    throw new UsageError(`${shown} names no topic: kafka://host:port/topic`);
  }
  return topic;
}
