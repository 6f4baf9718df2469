import { readDelivery } from "@sinkwire/delivery";
import { attributesSet, type EncodedMessage, headersSet, type MessageHead } from "@sinkwire/message";
import type { DemoDelivery, DemoQueue } from "./demo-queue.js";

/** Records that it holds: whoever publishes more waits. */
const CAPACITY = 32;

/** What a broker holds: a body and the metadata beside it, in the shape of that broker's client. */
interface QueueRecord {
  readonly metadata: unknown;
  readonly body: Uint8Array;
}

/** Makes an in-process queue. */
export function memoryQueue(): DemoQueue {
  const records: QueueRecord[] = [];
  const waiting: (() => void)[] = [];
  let published = 0;
  let isEnded = false;
  const change = (): Promise<void> => new Promise((done) => waiting.push(done));
  const wake = (): void => {
    for (const done of waiting.splice(0)) done();
  };
  const end = (): void => {
    isEnded = true;
    wake();
  };

  async function* deliveries(): AsyncGenerator<DemoDelivery> {
    for (;;) {
      const record = records.shift();
      if (record !== undefined) {
        wake();
        yield { read: readDelivery(record.metadata, record.body), settle: async () => {} };
      } else if (isEnded) {
        return;
      } else {
        await change();
      }
    }
  }

  return {
    carriesMetadata: true,
    async publish({ bytes, head }: EncodedMessage) {
      while (records.length >= CAPACITY && !isEnded) await change();
      if (isEnded) throw new Error("the queue is closed");
      records.push({ metadata: head === undefined ? null : metadataOf(head, published++), body: bytes });
      wake();
      return { duplicate: false };
    },
    deliveries,
    end,
    close: async () => end(),
  };
}

/** Metadata as brokers' clients give it: Kafka's headers are Buffers by name, SQS's attributes are typed. */
function metadataOf(head: MessageHead, n: number): unknown {
  if (n % 2 === 0) return new Map(headersSet(head, head).map(([name, value]) => [name, Buffer.from(value)]));
  const attributes = attributesSet(head, head);
  return Object.fromEntries(attributes.map(([name, value]) => [name, { DataType: "String", StringValue: value }]));
}
