import { type Delivery, PublishError, type Publisher } from "@sinkwire/delivery";
import { decodeMessage, type EncodedMessage, type Hook, type PublishContext } from "@sinkwire/message";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Broker, startBroker } from "../../src/brokers/index.js";
import {
  claimOf,
  gcHeapBytes,
  HOOKS,
  type Lane,
  plainHook,
  publishUntilTaken,
  type Transport,
  takeUntil,
} from "../../src/transport-suite/index.js";
import { testRestarts } from "./transport-restarts.js";

/** What every adapter has to do, against a real server. */
export function describeTransport(transport: Transport): void {
  describe(transport.title, () => {
    let broker: Broker;
    const lanes: Lane[] = [];
    beforeAll(async () => {
      broker = await startBroker(transport.name, { own: true });
    });
    afterAll(async () => {
      for (const lane of lanes) await lane.close();
      await broker?.stop();
    });

    async function open(): Promise<Lane> {
      const lane = await transport.open(broker);
      lanes.push(lane);
      return lane;
    }

    const encode = (hook: Hook, context: PublishContext | null = null): EncodedMessage =>
      transport.encode(hook, context, claimOf(hook));

    it.each(HOOKS)("carries $name unaltered", async ({ hook, context, form }) => {
      const lane = await open();
      const publisher = await lane.publisher();
      const sent = encode(hook(transport), context);
      expect(sent.form).toBe(form);
      const receipt = await publisher.publish(sent);
      expect(receipt).toMatchObject({ address: lane.address, duplicate: false });

      const { consumer } = await lane.consumer();
      await takeUntil(consumer, (delivery) => {
        expect(delivery.message).toEqual(decodeMessage(sent.bytes));
        expect(Buffer.from(delivery.bytes).equals(sent.bytes)).toBe(true);
        const carried = delivery.pairs.map(([name, value]) => [name, value.toString()]);
        for (const pair of transport.metadataOf(delivery.message)) expect(carried).toContainEqual(pair);
        return true;
      });
      await consumer.close();
    });

    it("publishes a decoded message as it was", async () => {
      const lane = await open();
      const sent = encode(plainHook("evt_decoded"));
      await (await lane.publisher()).publish(decodeMessage(sent.bytes));
      const { consumer } = await lane.consumer();
      await takeUntil(consumer, ({ bytes }) => {
        expect(Buffer.from(bytes).equals(sent.bytes)).toBe(true);
        return true;
      });
      await consumer.close();
    });

    it("refuses for good what is over the limit", async () => {
      const lane = await open();
      const publisher = await lane.publisher();
      const sent = decodeMessage(encode(plainHook("evt_large")).bytes);
      const larger = { ...sent, content_type: "x".repeat(transport.maxBytes) };
      await expect(publisher.publish(larger)).rejects.toMatchObject({
        code: "publish_rejected",
        outcome: "not_published",
        retryable: false,
        cause: { code: "message_too_large" },
      });
    });

    it("names an address that is missing, and can be tried again", async () => {
      const lane = await open();
      const publisher = await lane.publisher({ address: "no-such-address" });
      await expect(publisher.publish(encode(plainHook("evt_1")))).rejects.toMatchObject({
        code: "publish_failed",
        outcome: "not_published",
        retryable: true,
        message: expect.stringContaining("no-such-address"),
      });
    });

    it("rejects what cannot be read without a loop, and acknowledges what has no body", async () => {
      const lane = await open();
      const isText = transport.noBody === null;
      const bodies = [Buffer.from("no message"), isText ? Buffer.from("\ufffd") : Buffer.from([0xff, 0xfe])];
      const all = isText ? bodies : [...bodies, null];
      for (const body of all) await lane.write(body);
      await (await lane.publisher()).publish(encode(plainHook("evt_last")));
      const kinds: Delivery["kind"][] = [];
      const { consumer } = await lane.consumer();
      // Not every broker keeps an order between them.
      const stop = new AbortController();
      let isLast = false;
      const stopAtLast = (): void => {
        if (isLast && kinds.length === all.length) stop.abort();
      };
      const note = ({ kind }: Pick<Delivery, "kind">): void => {
        kinds.push(kind);
        stopAtLast();
      };
      const handle = (): boolean => {
        isLast = true;
        stopAtLast();
        return false;
      };
      const options = { concurrency: 1, onInvalid: note, onTombstone: note };
      await takeUntil(consumer, handle, { ...options, signal: stop.signal });
      expect(kinds.toSorted()).toEqual(["invalid", "invalid", ...(isText ? [] : [transport.noBody])]);

      await (await lane.publisher()).publish(encode(plainHook("evt_after")));
      const ids: string[] = [];
      await takeUntil(consumer, ({ message }) => ids.push(message.id) > 0, options);
      expect(ids).toEqual(["evt_after"]);
      expect(kinds).toHaveLength(all.length);
      const letters = await lane.deadLetters();
      const rejected = all.filter((body) => body !== null || transport.noBody === "invalid");
      const texts = (some: readonly (Uint8Array | null)[]): string[] =>
        some.map((bytes) => Buffer.from(bytes ?? []).toString("hex")).sort();
      if (letters !== null) expect(texts(letters)).toEqual(texts(rejected));
      await consumer.close();
    });

    it("delivers again after a retry, not before its delay, and counts", async () => {
      const lane = await open();
      await (await lane.publisher()).publish(encode(plainHook("evt_retried")));
      const { consumer } = await lane.consumer();
      const attempts: (number | null)[] = [];
      const afterMs = 700;
      let failedAt = 0;
      let waitedMs = 0;
      const handle = ({ attempt }: Delivery): boolean => {
        attempts.push(attempt);
        if (failedAt > 0) {
          waitedMs = performance.now() - failedAt;
          return true;
        }
        failedAt = performance.now();
        throw new Error("not yet");
      };
      await takeUntil(consumer, handle, { backoff: () => afterMs });
      // A timer may fire within the millisecond before.
      expect(waitedMs).toBeGreaterThanOrEqual(afterMs - 1);
      // Counted, only known to be the first or a later one, or neither.
      expect([
        [1, 2],
        [1, null],
        [null, null],
      ]).toContainEqual(attempts);
      await consumer.close();
    });

    it("delivers again what a consumer held when it was killed", async () => {
      const lane = await open();
      await (await lane.publisher()).publish(encode(plainHook("evt_held")));
      const first = await lane.consumer();
      const taken = first.consumer.deliveries()[Symbol.asyncIterator]();
      expect((await taken.next()).value).toMatchObject({ kind: "message" });
      await first.kill();

      const { consumer } = await lane.consumer();
      await takeUntil(consumer, ({ message }) => message.id === "evt_held");
      await consumer.close();
    });

    it("gives back what is unsettled when it closes", async () => {
      const lane = await open();
      const publisher = await lane.publisher();
      for (let i = 0; i < 5; i++) await publisher.publish(encode(plainHook(`evt_${i}`)));
      const first = await lane.consumer();
      const taken = first.consumer.deliveries()[Symbol.asyncIterator]();
      const held: Delivery = (await taken.next()).value;
      expect(held.signal.aborted).toBe(false);
      await first.consumer.close();
      expect(held.signal.aborted).toBe(true);

      const { consumer } = await lane.consumer();
      const ids = new Set<string>();
      await takeUntil(consumer, ({ message }) => ids.add(message.id).size === 5);
      await consumer.close();
    });

    if (transport.hasKeys) {
      it("keeps the order of a key, under concurrency and after a retry", async () => {
        const lane = await open();
        const publisher = await lane.publisher();
        const keys = ["a", "b", "c"];
        const sent = keys.flatMap((key) => Array.from({ length: 10 }, (_, i) => ({ key, id: `${key}-${i}` })));
        for (const { key, id } of sent) await publisher.publish(encode(plainHook(id), { ordering_key: key }));
        const { consumer } = await lane.consumer();
        const handled: string[] = [];
        let isFailed = false;
        const handle = ({ message }: { readonly message: { readonly id: string } }): boolean => {
          if (message.id === "b-4" && !isFailed) {
            isFailed = true;
            throw new Error("not yet");
          }
          return handled.push(message.id) === sent.length;
        };
        await takeUntil(consumer, handle, { concurrency: 8, backoff: () => 100 });
        for (const key of keys) {
          const ids = sent.filter((one) => one.key === key).map(({ id }) => id);
          expect(handled.filter((id) => id.startsWith(`${key}-`))).toEqual(ids);
        }
        await consumer.close();
      });
    }

    it("says that it does not know what became of a message that a frozen server was sent", async () => {
      const lane = await open();
      const publisher = await lane.publisher({ timeoutMs: 1_000, inFlight: { maxMessages: 4 } });
      // Of one key, where there are keys: the last one comes last then.
      const ordered = (id: string): EncodedMessage =>
        encode(plainHook(id), transport.hasKeys ? { ordering_key: "frozen" } : null);
      await publisher.publish(ordered("evt_before"));
      broker.freeze();
      const results = await settleAll(publisher, ids("evt_frozen", 10), ordered);
      const room = transport.isOneByOne ? 1 : 4;
      expect(results.filter(({ outcome }) => outcome === "unknown")).toHaveLength(room);
      // The others had no place, and were not written.
      expect(results.filter(({ outcome }) => outcome === "not_published")).toHaveLength(10 - room);

      const more = await settleAll(publisher, ids("evt_later", 3), ordered);
      const freed = transport.freesGivenUp ? Math.min(room, 3) : 0;
      expect(more.filter(({ outcome }) => outcome === "unknown")).toHaveLength(freed);
      expect(more.filter(({ outcome }) => outcome === "not_published")).toHaveLength(3 - freed);
      broker.resume();
      await publishUntilTaken(publisher, ordered("evt_end"));

      const unknown = new Set([...results, ...more].filter(({ outcome }) => outcome === "unknown").map(({ id }) => id));
      const seen = await takeIds(lane, ({ size, has }) => size > 0 && has("evt_end"));
      expect([...seen].filter((id) => !unknown.has(id))).toEqual(["evt_before", "evt_end"]);
    });

    it("closes while the server stands still", async () => {
      const lane = await open();
      const publisher = await lane.publisher({ timeoutMs: 1_000 });
      const { consumer } = await lane.consumer();
      await publisher.publish(encode(plainHook("evt_held")));
      const taken = consumer.deliveries()[Symbol.asyncIterator]();
      const held: Delivery = (await taken.next()).value;
      broker.freeze();
      try {
        await expect(publisher.publish(encode(plainHook("evt_lost")))).rejects.toBeInstanceOf(PublishError);
        await Promise.all([publisher.close(), consumer.close()]);
        expect(held.signal.aborted).toBe(true);
      } finally {
        broker.resume();
      }
    });

    it("stops waiting when its signal aborts, and says what it knows", async () => {
      const lane = await open();
      const publisher = await lane.publisher();
      const reason = new Error("enough");
      await expect(
        publisher.publish(encode(plainHook("evt_1")), { signal: AbortSignal.abort(reason) }),
      ).rejects.toMatchObject({ outcome: "not_published", cause: reason });
    });

    testRestarts(transport, { broker: () => broker, open, encode });

    it("carries 10,000 messages without holding them", async () => {
      const lane = await open();
      const publisher = await lane.publisher();
      const { consumer } = await lane.consumer();
      const [total, bodyBytes] = [10_000, 4_096];
      let handled = 0;
      let early = 0;
      const taking = takeUntil(
        consumer,
        () => {
          handled++;
          if (handled === total / 5) early = gcHeapBytes();
          return handled === total;
        },
        { concurrency: 50 },
      );
      const publishing = Array.from({ length: 50 }, async (_, worker) => {
        for (let i = worker; i < total; i += 50) await publisher.publish(encode(plainHook(`evt_${i}`, bodyBytes)));
      });
      await Promise.all([taking, ...publishing]);
      // A tenth of the bodies would be more.
      expect(gcHeapBytes() - early).toBeLessThan((total * bodyBytes) / 10);
      await consumer.close();
    });

    interface Settled {
      readonly id: string;
      readonly outcome: PublishError["outcome"] | "published";
    }

    function settleAll(
      publisher: Publisher,
      wanted: readonly string[],
      encoded: (id: string) => EncodedMessage,
    ): Promise<Settled[]> {
      return Promise.all(
        wanted.map(async (id) => {
          try {
            await publisher.publish(encoded(id));
            return { id, outcome: "published" };
          } catch (error) {
            expect(error).toBeInstanceOf(PublishError);
            return { id, outcome: (error as PublishError).outcome };
          }
        }),
      );
    }

    async function takeIds(lane: Lane, isEnough: (seen: SeenIds) => boolean): Promise<ReadonlySet<string>> {
      const { consumer } = await lane.consumer();
      const seen = new Set<string>();
      await takeUntil(
        consumer,
        ({ message }) => isEnough({ size: seen.add(message.id).size, has: (id) => seen.has(id) }),
        { concurrency: 1 },
      );
      await consumer.close();
      return seen;
    }
  });
}

interface SeenIds {
  readonly size: number;
  readonly has: (id: string) => boolean;
}

function ids(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${prefix}_${i}`);
}
