import type { MessageDelivery, Publisher } from "@sinkwire/delivery";
import type { EncodedMessage, Hook } from "@sinkwire/message";
import { expect, it } from "vitest";
import { type Broker, waitUntil } from "../../src/brokers/index.js";
import { KINDS } from "../../src/brokers/kinds/index.js";
import { type Lane, plainHook, publishUntilTaken, type Transport, takeUntil } from "../../src/transport-suite/index.js";

/** What the suite has at hand. */
interface SuiteParts {
  readonly broker: () => Broker;
  readonly open: () => Promise<Lane>;
  readonly encode: (hook: Hook) => EncodedMessage;
}

/** The part of the suite that ends the server in mid-stream. */
export function testRestarts(transport: Transport, { broker, open, encode }: SuiteParts): void {
  const restart = async (how: string, lane: Lane): Promise<void> => {
    if (how === "crash") await broker().kill();
    await broker().restart();
    await lane.restore?.();
  };

  if (KINDS[transport.name].durable) {
    it.each(["restart", "crash"])("loses nothing that was acknowledged over a %s in mid-stream", async (how) => {
      const lane = await open();
      const publisher = await lane.publisher({ timeoutMs: 5_000 });
      const { consumer } = await lane.consumer();
      const all = Array.from({ length: 300 }, (_, i) => `evt_${i}`);
      const seen = new Set<string>();
      const taking = takeUntil(consumer, ({ message }) => seen.add(message.id).size === all.length);
      let taken = 0;
      let restarting: Promise<void> = Promise.resolve();
      await publishAll(publisher, all, () => {
        if (++taken === 100) restarting = restart(how, lane);
      });
      await restarting;
      await taking;
      expect([...seen].sort()).toEqual([...all].sort());
      await consumer.close();
    });
  } else {
    it.each(["restart", "crash"])("goes on after a %s in mid-stream of a server that forgets", async (how) => {
      const lane = await open();
      const publisher = await lane.publisher({ timeoutMs: 5_000 });
      const all = Array.from({ length: 300 }, (_, i) => `evt_${i}`);
      const seen = new Set<string>();
      /** What was published to the server that is there in the end. */
      const kept = new Set(["evt_last"]);
      const consume = async (): Promise<void> => {
        const { consumer } = await lane.consumer();
        try {
          const handle = ({ message: { id } }: MessageDelivery): boolean =>
            seen.add(id).has("evt_last") && [...kept].every((one) => seen.has(one));
          await takeUntil(consumer, handle);
        } finally {
          await consumer.close();
        }
      };
      // The address goes with the server, and may end the consumer with an error: then another one takes its place.
      const taking = waitUntil(consume, { limitMs: 120_000 });
      let taken = 0;
      let backAt = Number.POSITIVE_INFINITY;
      let restarting: Promise<void> = Promise.resolve();
      await publishAll(publisher, all, (id, startedAt) => {
        if (startedAt > backAt) kept.add(id);
        if (++taken !== 100) return;
        restarting = restart(how, lane).then(() => {
          backAt = performance.now();
        });
      });
      await restarting;
      await publisher.publish(encode(plainHook("evt_last")));
      await taking;
      expect(kept.size).toBeGreaterThan(1);
      expect([...seen].filter((id) => !all.includes(id))).toEqual(["evt_last"]);
    });
  }

  /** Publishes by four workers, each message until it is taken, of which and of when it began the callback is told. */
  async function publishAll(
    publisher: Publisher,
    wanted: readonly string[],
    taken: (id: string, startedAt: number) => void,
  ): Promise<void> {
    const left = wanted.values();
    const workers = Array.from({ length: 4 }, async () => {
      for (const id of left) {
        const startedAt = performance.now();
        const { outcomes } = await publishUntilTaken(publisher, encode(plainHook(id)));
        expect(outcomes.every((outcome) => outcome === "unknown" || outcome === "not_published")).toBe(true);
        taken(id, startedAt);
      }
    });
    await Promise.all(workers);
  }
}
