import type { DeliveryRead, ReadOptions } from "@sinkwire/delivery";
import { base64Bytes, member, property, readBody } from "@sinkwire/delivery/adapter";
import { InvalidHookError } from "@sinkwire/message";

/**
 * A consumed record, as the clients give it. Value: bytes, text, or null for a tombstone. Headers: an object (kafkajs), a
 * Map with text or Buffer keys (`@platformatic/kafka`), or an array of objects (Confluent's client, function triggers); a
 * value is text, bytes, an array of those where a name is repeated, or an array of byte numbers.
 */
export interface ConsumedKafkaRecord {
  readonly value?: Uint8Array | string | null | undefined;
  readonly headers?: unknown;
}

/** How to read a record. */
export interface FromKafkaOptions extends ReadOptions {
  /** True for a function trigger (AWS Lambda), which hands the value over as base64 text. Default false. */
  readonly base64?: boolean | null | undefined;
}

/**
 * Reads a consumed record.
 *
 * @param record - as any of the clients gives it
 * @param options - `base64`, and those of `readDelivery`; null is none
 * @returns a message, a tombstone (`value` is there and null) or why the record is invalid; whatever was delivered, it does
 *   not throw
 * @throws InvalidHookError (`base64`, `max_bytes`, `metadata`, `options`) for an option that cannot be used, before the
 *   record is looked at
 */
export function fromKafka(record: ConsumedKafkaRecord, options?: FromKafkaOptions | null): DeliveryRead {
  const base64 = options?.base64 ?? false;
  if (typeof base64 !== "boolean") throw new InvalidHookError("base64", "expected true or false");
  return readBody(
    record,
    {
      pairs: () => headerPairs(property(record, "headers")),
      body: () => member(record, "value"),
      open: base64 ? ({ pairs, body }) => ({ pairs, body: base64Bytes(body) }) : undefined,
    },
    options,
  );
}

/** Every client's headers as pairs with text names, repeated ones kept. */
function headerPairs(headers: unknown): readonly (readonly [unknown, unknown])[] {
  if (headers instanceof Map) return [...headers].map(([name, value]) => [nameText(name), value]);
  return Array.isArray(headers) ? headers.flatMap((header) => [...entriesOf(header)]) : entriesOf(headers);
}

/** One header of an array: an object of one name, or `[name, value]`, as a Map becomes in JSON. */
function entriesOf(header: unknown): readonly (readonly [unknown, unknown])[] {
  if (Array.isArray(header)) return [[header[0], header[1]]];
  return typeof header === "object" && header !== null ? Object.entries(header) : [];
}

function nameText(name: unknown): unknown {
  return Buffer.isBuffer(name) ? name.toString("utf8") : name;
}
