import { encodeMessage } from "@sinkwire/message";
import { createDeliveryQueue, createHolds } from "../src/adapter/index.js";
import { type Consumer, type DeadLetter, deadLetterOf, readDelivery } from "../src/index.js";

/** A record of the broker, in the order of its log. */
export interface MemoryRecord {
  readonly id: string;
  readonly key: string | null;
  readonly bytes: Uint8Array | null;
  /** Retries so far, plus one. */
  attempt: number;
  state: "queued" | "out" | "acked" | "dead";
  /** Takes back what is out, as a broker does when a lease has run out. */
  takeBack: () => void;
}

/** A broker in memory: a fake, to test what needs none in particular. It delivers in the order of its log, and knows no keys. */
export interface MemoryBroker {
  readonly records: readonly MemoryRecord[];
  readonly dead: readonly DeadLetter[];
  /** Verbs that reached the broker, such as `ack evt_1`. */
  readonly verbs: readonly string[];
  /** Settling errors: a verb for a record that was not out. */
  readonly faults: readonly string[];
  /** The most that was out at once. */
  readonly mostOut: number;
  add(id: string, key?: string | null, bytes?: Uint8Array | null): MemoryRecord;
  /** Makes a verb fail from now on, without effect on the broker. */
  failing: string | null;
  consumer(prefetch: number): Consumer;
  /** Resolves when every record is acknowledged or dead. */
  drained(): Promise<void>;
}

export function messageBytes(id: string): Uint8Array {
  return encodeMessage({ id, source_id: "orders", received_at: 0, body: Buffer.from(id) }).bytes;
}

export function memoryBroker(): MemoryBroker {
  const records: MemoryRecord[] = [];
  const dead: DeadLetter[] = [];
  const verbs: string[] = [];
  const faults: string[] = [];
  const waiting = new Set<() => void>();
  const changed = (): void => {
    for (const told of waiting) told();
  };

  const broker = {
    ...{ records, dead, verbs, faults, mostOut: 0, failing: null as string | null },
    add(id: string, key: string | null = null, bytes: Uint8Array | null = messageBytes(id)) {
      const record: MemoryRecord = { id, key, bytes, attempt: 1, state: "queued", takeBack: () => {} };
      records.push(record);
      changed();
      return record;
    },
    async drained() {
      while (records.some(({ state }) => state === "queued" || state === "out")) {
        await new Promise<void>((resolve) => {
          const check = (): void => {
            waiting.delete(check);
            resolve();
          };
          waiting.add(check);
        });
      }
    },
    consumer(prefetch: number): Consumer {
      return {
        deliveries({ signal } = {}) {
          const holds = createHolds();
          let out = 0;
          let isScheduled = false;
          const stopped = new AbortController();
          const queue = createDeliveryQueue({
            signal,
            ended: () => {
              waiting.delete(schedule);
              stopped.abort();
            },
          });
          /** The broker sends one record a turn of the event loop, as a socket would. */
          const schedule = (): void => {
            if (isScheduled) return;
            isScheduled = true;
            setImmediate(() => {
              isScheduled = false;
              const next = out < prefetch ? records.find(({ state }) => state === "queued") : undefined;
              if (next === undefined || stopped.signal.aborted) return;
              send(next);
              schedule();
            });
          };
          const send = (record: MemoryRecord): void => {
            const { id, attempt, bytes } = record;
            const taken = new AbortController();
            record.state = "out";
            out++;
            broker.mostOut = Math.max(broker.mostOut, records.filter(({ state }) => state === "out").length);
            record.takeBack = () => {
              record.takeBack = () => {};
              taken.abort();
              end("queued");
            };
            const end = (state: MemoryRecord["state"]): void => {
              record.state = state;
              out--;
              changed();
            };
            const take = (verb: string, state: MemoryRecord["state"]): void => {
              verbs.push(`${verb} ${id}`);
              if (broker.failing === verb) throw new Error(`${verb} failed`);
              if (record.state !== "out" || taken.signal.aborted) faults.push(`${verb} ${id} when ${record.state}`);
              end(state);
            };
            const pairs = [["ankusa_id", id]] as const;
            queue.push(
              readDelivery(pairs, bytes),
              { key: record.key, attempt, address: "memory", pairs, signal: taken.signal },
              {
                ack: async () => take("ack", "acked"),
                retry: async (afterMs) => {
                  await holds.hold(afterMs, { signal: AbortSignal.any([taken.signal, stopped.signal]) });
                  if (taken.signal.aborted) return;
                  record.attempt++;
                  take("retry", "queued");
                },
                reject: async (reason, options) => {
                  take("reject", "dead");
                  dead.push(deadLetterOf({ bytes, attempt, address: "memory", pairs }, reason, options));
                },
                giveBack: async () => take("giveBack", "queued"),
              },
            );
          };
          waiting.add(schedule);
          schedule();
          return queue;
        },
        async close() {
          changed();
        },
      };
    },
  };
  return broker;
}

/** Turns of the event loop. */
export async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}
