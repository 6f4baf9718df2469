import { decodeMessage, encodeMessage, serializeMessage } from "@sinkwire/message";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { encoded } from "../../../message/test/arbitraries.js";
import {
  createInFlight,
  MAX_IN_FLIGHT_BYTES,
  MAX_IN_FLIGHT_MESSAGES,
  publishable,
  publishWithin,
} from "../../src/adapter/index.js";
import { PublishError, type Receipt } from "../../src/index.js";
import { turns } from "../memory-broker.js";

afterEach(() => {
  vi.useRealTimers();
});

const receipt: Receipt = { address: "orders", id: "1", duplicate: false };
const never = <T>(): Promise<T> => new Promise(() => {});

describe("createInFlight", () => {
  test("the 257th message waits, and so does the one over 16 MiB", async () => {
    const inFlight = createInFlight();
    const leave = await Promise.all(Array.from({ length: MAX_IN_FLIGHT_MESSAGES }, () => inFlight.enter(1)));
    let isIn = false;
    const next = inFlight.enter(1).then((done) => {
      isIn = true;
      return done;
    });
    await turns(2);
    expect([isIn, inFlight.messages, inFlight.bytes]).toEqual([false, MAX_IN_FLIGHT_MESSAGES, MAX_IN_FLIGHT_MESSAGES]);
    leave[7]?.();
    leave[7]?.();
    await next;
    expect(inFlight.messages).toBe(MAX_IN_FLIGHT_MESSAGES);

    const large = createInFlight();
    const first = await large.enter(MAX_IN_FLIGHT_BYTES - 1);
    await large.enter(1);
    const third = large.enter(1);
    await turns(2);
    expect(large.messages).toBe(2);
    first();
    await third;
    expect([large.messages, large.bytes]).toEqual([2, 2]);
  });

  test("a message over the limit goes alone", async () => {
    const inFlight = createInFlight({ maxBytes: 10 });
    const leave = await inFlight.enter(1);
    const large = inFlight.enter(50);
    await turns(2);
    expect(inFlight.messages).toBe(1);
    leave();
    (await large)();
    await inFlight.idle();
    expect([inFlight.messages, inFlight.bytes]).toEqual([0, 0]);
  });

  test("an abort ends a wait and lets the next one go", async () => {
    const inFlight = createInFlight({ maxBytes: 10 });
    await inFlight.enter(8);
    const controller = new AbortController();
    const large = inFlight.enter(5, controller);
    const small = inFlight.enter(2);
    controller.abort(new Error("stop"));
    await expect(large).rejects.toThrow("stop");
    await small;
    expect([inFlight.messages, inFlight.bytes]).toEqual([2, 10]);
    await expect(inFlight.enter(1, controller)).rejects.toThrow("stop");
  });

  test.for([0, -1, 1.5, Number.NaN, "9"])("a limit of %o is refused by name", (limit) => {
    expect(() => createInFlight({ maxBytes: limit as number })).toThrow(expect.objectContaining({ field: "maxBytes" }));
    expect(() => createInFlight({ maxMessages: limit as number })).toThrow(
      expect.objectContaining({ field: "maxMessages" }),
    );
  });

  test("never passes its limits, keeps the order and comes to rest, whoever enters, leaves or gives up", async () => {
    const limits = fc.record({
      maxMessages: fc.integer({ min: 1, max: 5 }),
      maxBytes: fc.integer({ min: 1, max: 20 }),
    });
    const entrants = fc.array(fc.record({ bytes: fc.nat(25), turns: fc.nat(3), givesUp: fc.boolean() }), {
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(limits, entrants, async (given, all) => {
        const inFlight = createInFlight(given);
        const entered: number[] = [];
        await Promise.all(
          all.map(async ({ bytes, turns: count, givesUp }, index) => {
            const controller = new AbortController();
            if (givesUp) setImmediate(() => controller.abort());
            const leave = await inFlight.enter(bytes, controller).catch(() => null);
            if (leave === null) return;
            entered.push(index);
            expect(inFlight.messages).toBeLessThanOrEqual(given.maxMessages);
            if (inFlight.messages > 1) expect(inFlight.bytes).toBeLessThanOrEqual(given.maxBytes);
            await turns(count);
            leave();
          }),
        );
        await inFlight.idle();
        expect([inFlight.messages, inFlight.bytes]).toEqual([0, 0]);
        expect(entered).toEqual(entered.toSorted((a, b) => a - b));
        const stayed = all.flatMap(({ givesUp }, index) => (givesUp ? [] : [index]));
        expect(entered).toEqual(expect.arrayContaining(stayed));
      }),
    );
  });
});

describe("publishWithin", () => {
  const bounds = () => ({ inFlight: createInFlight(), bytes: 10 });

  test("gives the receipt and frees the place", async () => {
    const given = bounds();
    await expect(
      publishWithin(async (written) => {
        expect(given.inFlight.bytes).toBe(10);
        written();
        return receipt;
      }, given),
    ).resolves.toBe(receipt);
    expect(given.inFlight.messages).toBe(0);
  });

  test.for([
    { wrote: false, outcome: "not_published" },
    { wrote: true, outcome: "unknown" },
  ])("an error, an abort and a timeout when written is $wrote are $outcome", async ({ wrote, outcome }) => {
    vi.useFakeTimers();
    const reason = new Error("enough");
    const start = (settle: () => Promise<Receipt>) => (written: () => void) => {
      if (wrote) written();
      return settle();
    };
    const expected = { code: "publish_failed", retryable: true, retryAfterMs: null, outcome };

    const failed = publishWithin(
      start(() => Promise.reject(reason)),
      bounds(),
    );
    await expect(failed).rejects.toMatchObject({ ...expected, cause: reason });

    const controller = new AbortController();
    const aborted = publishWithin(start(never), { ...bounds(), signal: controller.signal });
    setTimeout(() => controller.abort(reason), 5);
    const timedOut = publishWithin(start(never), { ...bounds(), timeoutMs: 50 });
    const all = Promise.allSettled([aborted, timedOut]);
    await vi.advanceTimersByTimeAsync(50);
    expect(await all).toMatchObject([
      { reason: { ...expected, cause: reason } },
      { reason: { ...expected, cause: { message: "no answer within 50 ms" } } },
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("what the write says itself is not altered", async () => {
    const rejected = new PublishError("publish_rejected", "too large", { outcome: "not_published" });
    const publish = publishWithin((written) => {
      written();
      return Promise.reject(rejected);
    }, bounds());
    await expect(publish).rejects.toBe(rejected);
  });

  test("nothing is written after an abort, before or during the wait for a place", async () => {
    const reason = new Error("stop");
    const write = vi.fn(async () => receipt);
    const aborted = publishWithin(write, { ...bounds(), signal: AbortSignal.abort(reason) });
    await expect(aborted).rejects.toMatchObject({ outcome: "not_published", cause: reason });

    const inFlight = createInFlight({ maxMessages: 1 });
    const leave = await inFlight.enter(1);
    const controller = new AbortController();
    const waiting = publishWithin(write, { inFlight, bytes: 1, signal: controller.signal });
    controller.abort(reason);
    await expect(waiting).rejects.toMatchObject({ outcome: "not_published", cause: reason });
    leave();
    await inFlight.idle();
    expect(write).not.toHaveBeenCalled();
  });

  test("an abort during the preparation is not_published for good: written() refuses", async () => {
    const controller = new AbortController();
    let sent = false;
    const given = bounds();
    const publish = publishWithin(
      async (written) => {
        await turns(2);
        written();
        sent = true;
        return receipt;
      },
      { ...given, signal: controller.signal },
    );
    await turns(1);
    controller.abort();
    await expect(publish).rejects.toMatchObject({ outcome: "not_published" });
    await given.inFlight.idle();
    expect(sent).toBe(false);
  });

  test("an unanswered write keeps its place, so a silent broker does not make the unconfirmed bytes grow", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const inFlight = createInFlight({ maxMessages: 2 });
    const answers: ((receipt: Receipt) => void)[] = [];
    const write = (written: () => void) => {
      written();
      return new Promise<Receipt>((resolve) => answers.push(resolve));
    };
    const publishes = Promise.allSettled(
      Array.from({ length: 4 }, () => publishWithin(write, { inFlight, bytes: 10, timeoutMs: 100 })),
    );
    await vi.advanceTimersByTimeAsync(100);
    const outcomes = (await publishes).map((one) => (one.status === "rejected" ? one.reason.outcome : "published"));
    expect(outcomes).toEqual(["unknown", "unknown", "not_published", "not_published"]);
    expect([answers.length, inFlight.messages, inFlight.bytes]).toEqual([2, 2, 20]);
    for (const answer of answers) answer(receipt);
    await inFlight.idle();
    expect(inFlight.bytes).toBe(0);
  });

  test("leaves no listener on the caller's signal", async () => {
    const { signal } = new AbortController();
    const [added, removed] = [vi.spyOn(signal, "addEventListener"), vi.spyOn(signal, "removeEventListener")];
    await publishWithin(async () => receipt, { ...bounds(), signal });
    expect(added).toHaveBeenCalledOnce();
    expect(removed.mock.calls).toEqual(added.mock.calls);
  });

  test.for([0, 1.5, 2 ** 31])("a timeout of %o ms is refused by name", async (timeoutMs) => {
    const refused = publishWithin(async () => receipt, { ...bounds(), timeoutMs });
    await expect(refused).rejects.toMatchObject({ code: "invalid_hook", field: "timeoutMs" });
  });
});

describe("publishable", () => {
  test("gives the same body and fields of an encoded and of a decoded message", () => {
    fc.assert(
      fc.property(encoded, ({ message }) => {
        const decoded = decodeMessage(message.bytes);
        const [ofEncoded, ofDecoded] = [publishable(message), publishable(decoded)];
        expect(ofEncoded.body).toEqual(Buffer.from(message.bytes));
        expect(ofDecoded.body).toEqual(Buffer.from(serializeMessage(decoded)));
        const { headers, sha256, body, ...head } = decoded;
        expect(ofEncoded.message).toEqual(head);
        expect(ofDecoded.message).toEqual(decoded);
        expect(publishable({ ...message, head: undefined }).message).toEqual(decoded);
      }),
    );
  });

  test("refuses bytes that are no message", () => {
    const { bytes, head, ...rest } = encodeMessage({
      id: "evt_1",
      source_id: "s",
      received_at: 0,
      body: new Uint8Array(),
    });
    expect(() => publishable({ ...rest, bytes: bytes.subarray(1) })).toThrow(
      expect.objectContaining({ code: "invalid_json" }),
    );
  });
});
