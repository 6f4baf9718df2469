import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import {
  createRecordsBatch,
  type Message,
  type MessageToProduce,
  Reader,
  readRecordsBatch,
  Writer,
} from "@platformatic/kafka";
import type { DeliveryRead } from "@sinkwire/delivery";
import fc from "fast-check";
import type { Message as KafkajsMessage, KafkaMessage } from "kafkajs";
import { describe, expect, test } from "vitest";
import { context, hook } from "../../message/test/arbitraries.js";
import { fromKafka, type KafkaRecord, toKafka } from "../src/index.js";

const toPlatformatic = (record: KafkaRecord): MessageToProduce<string, Buffer, string, string> => ({
  ...record,
  topic: "hooks",
});
const toKafkajs = (record: KafkaRecord): KafkajsMessage => ({
  ...record,
  timestamp: String(record.timestamp ?? Date.now()),
});

const require = createRequire(import.meta.url);
const kafkajs = (path: string): unknown => require(join(dirname(require.resolve("kafkajs")), "src", path));
const Decoder = kafkajs("protocol/decoder.js") as new (bytes: Buffer) => { buffer: Buffer };
const decodeBatch = kafkajs("protocol/recordBatch/v0/decoder.js") as (
  decoder: object,
) => Promise<{ records: { value: Buffer | null; timestamp: string; headers: Record<string, Buffer | Buffer[]> }[] }>;

/** What both clients deliver fits without a cast. */
const readKafkajs: (message: KafkaMessage) => DeliveryRead = fromKafka;
const readPlatformatic: (message: Message<string | Buffer, Buffer, string, string | Buffer>) => DeliveryRead =
  fromKafka;

/** The bytes of one record as a broker stores it, written by @platformatic/kafka. */
function batchOf(record: KafkaRecord): Buffer {
  const { key, value, headers, timestamp, topic } = toPlatformatic(record);
  const pairs = Object.entries(headers as Record<string, string>);
  const buffers = new Map(pairs.map(([name, text]) => [Buffer.from(name), Buffer.from(text)]));
  const stored = { key: Buffer.from(key ?? ""), value: value ?? Buffer.of(), topic, headers: buffers };
  return Writer.create().appendFrom(createRecordsBatch([timestamp === undefined ? stored : { ...stored, timestamp }]))
    .buffer;
}

describe("any hook comes back through", () => {
  test("@platformatic/kafka, whose headers are a Map of Buffers", () => {
    fc.assert(
      fc.property(hook, context, (given, publish) => {
        const record = toKafka(given, publish);
        const [stored] = readRecordsBatch(Reader.from(batchOf(record))).records;
        const read = readPlatformatic({ value: stored?.value, headers: new Map(stored?.headers) } as never);
        expect(read).toMatchObject({
          kind: "message",
          message: { id: given.id },
          metadata: { id: given.id, problems: [] },
        });
        expect(read.kind === "message" && Buffer.from(read.bytes)).toEqual(record.value);
      }),
    );
  });

  test("kafkajs, whose headers are an object", async () => {
    await fc.assert(
      fc.asyncProperty(hook, context, async (given, publish) => {
        const record = toKafka(given, publish);
        expect(toKafkajs(record)).toMatchObject({ key: record.key, headers: record.headers });
        const [stored] = (await decodeBatch(new Decoder(batchOf(record)))).records;
        expect(readKafkajs(stored as unknown as KafkaMessage)).toMatchObject({
          kind: "message",
          message: { id: given.id },
        });
        if (record.timestamp !== undefined) expect(BigInt(stored?.timestamp ?? -1)).toBe(record.timestamp);
      }),
    );
  });
});
