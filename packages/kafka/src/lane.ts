import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import type { PublishOutcome } from "@sinkwire/delivery";
import { isTimeout } from "./client-error.js";
import { publishErrorOf, sendFault } from "./publish-error.js";
import { HopelessError } from "./topic-lookup.js";

/** Pause before another try, in milliseconds. */
export const RETRY_PAUSE_MS = 250;

/** Most bytes of a batch of several records: the server's default limit of a batch is 1,048,588. */
const MAX_BATCH_BYTES = 1_000_000;

/** Most bytes that a record takes beside key, value and headers, and a header beside its name and value. */
const RECORD_BYTES = 70;
const HEADER_BYTES = 10;

/** A record to send. */
export interface OutgoingRecord {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: readonly (readonly [name: Buffer, value: Buffer])[];
  readonly timestamp?: bigint | undefined;
}

/** A record on its way. */
export interface Sending {
  readonly record: OutgoingRecord;
  /** Where it waits to be written: it leaves when it settles. */
  queue: Set<Sending>;
  /** Its partition, once it is known. */
  partition: number;
  /** Its signal aborts when nobody waits for it any more. */
  readonly call: { readonly signal: AbortSignal };
  /** Called just before it may leave; throws when nobody waits any more. */
  written(): void;
  resolve(offset: bigint): void;
  reject(error: unknown): void;
}

/** What a lane needs of its sender. */
export interface LaneOptions {
  readonly topic: string;
  /**
   * Connects to the partition's leader, so that what fails before it resolves has not been written.
   *
   * @param isRenumbered - gets a new producer id as well
   * @throws HopelessError when waiting does not help
   */
  prepare(isRenumbered: boolean): Promise<void>;
  /** Sends a batch once and tells the offset of its first record. */
  send(batch: readonly OutgoingRecord[]): Promise<bigint>;
  /** After an error: forgets leaders, and connections as well. */
  forget(options: { readonly connections: boolean }): void;
  readonly closing: AbortSignal;
}

/** The records of one partition, sent in order. */
export interface Lane {
  add(sending: Sending): void;
}

/**
 * Makes a lane. One batch is on its way at a time, and it is sent again, the same with the same sequence numbers, until a
 * server says what became of it: the server stores it once, and nothing behind it can overtake it.
 */
export function createLane({ topic, prepare, send, forget, closing }: LaneOptions): Lane {
  const queue = new Set<Sending>();
  let isRunning = false;
  let mustRenumber = false;
  let maxBytes = MAX_BATCH_BYTES;

  const pause = (): Promise<void> => sleep(RETRY_PAUSE_MS, undefined, { signal: closing }).catch(() => {});
  const connect = async (): Promise<void> => {
    await prepare(mustRenumber);
    mustRenumber = false;
  };
  const take = (): Sending[] => {
    const batch: Sending[] = [];
    let bytes = 0;
    for (const sending of queue) {
      bytes += bytesOf(sending.record);
      if (batch.length > 0 && bytes > maxBytes) break;
      queue.delete(sending);
      try {
        sending.written();
        batch.push(sending);
      } catch (error) {
        sending.reject(error);
      }
    }
    return batch;
  };

  /** Sends a batch until it is settled. The first time, the connection is there. */
  const deliver = async (batch: readonly Sending[]): Promise<void> => {
    let outcome: PublishOutcome = "not_published";
    let isConnected = true;
    const giveUp = (error: unknown): void => {
      // The numbers of what may be stored are not to be used again: the server would take the next batch for it.
      mustRenumber ||= outcome === "unknown";
      for (const sending of batch) sending.reject(publishErrorOf(error, topic, outcome));
    };
    for (;;) {
      try {
        if (!isConnected) await connect();
      } catch (error) {
        if (error instanceof HopelessError) return giveUp(error.cause);
        if (closing.aborted) return giveUp(error);
        await pause();
        continue;
      }
      try {
        const first = await send(batch.map(({ record }) => record));
        for (const [i, sending] of batch.entries()) sending.resolve(first + BigInt(i));
        return;
      } catch (error) {
        const fault = sendFault(error);
        if (fault === "rejected" && batch.length > 1) {
          maxBytes = Math.ceil(batch.reduce((sum, { record }) => sum + bytesOf(record), 0) / 2);
          const middle = batch.length >>> 1;
          await deliver(batch.slice(0, middle));
          return deliver(batch.slice(middle));
        }
        if (fault === "unknown" || fault === "answered") outcome = "unknown";
        const isAbandoned = fault === "answered" && batch.every(({ call }) => call.signal.aborted);
        if (fault === "rejected" || fault === "refused" || isAbandoned || closing.aborted) return giveUp(error);
        mustRenumber ||= fault === "renumber";
        forget({ connections: isTimeout(error) });
        isConnected = false;
        await pause();
      }
    }
  };

  const run = async (): Promise<void> => {
    isRunning = true;
    // What comes in the same turn goes in one batch.
    await turn();
    while (queue.size > 0) {
      try {
        await connect();
      } catch (error) {
        if (error instanceof HopelessError) {
          const failed = publishErrorOf(error.cause, topic, "not_published");
          for (const sending of queue) sending.reject(failed);
        } else {
          forget({ connections: isTimeout(error) });
          await pause();
        }
        continue;
      }
      const batch = take();
      if (batch.length > 0) await deliver(batch);
    }
    isRunning = false;
  };

  return {
    add(sending) {
      sending.queue = queue;
      queue.add(sending);
      if (!isRunning) void run();
    },
  };
}

function bytesOf({ key, value, headers }: OutgoingRecord): number {
  const own = RECORD_BYTES + (key?.length ?? 0) + (value?.length ?? 0);
  return headers.reduce((sum, [name, text]) => sum + HEADER_BYTES + name.length + text.length, own);
}
