import { describe, expect, test, vi } from "vitest";
import { type BrokerVerbs, createDelivery, createDeliveryQueue } from "../../src/adapter/index.js";
import { type Delivery, readDelivery } from "../../src/index.js";
import { turns } from "../memory-broker.js";

/** Verbs that note what was called under a name. */
function noting(name: string, calls: string[]): BrokerVerbs {
  const note = async (verb: string): Promise<void> => {
    calls.push(`${verb} ${name}`);
  };
  return {
    ack: () => note("ack"),
    retry: (afterMs) => note(`retry(${afterMs})`),
    reject: (reason) => note(`reject(${reason})`),
    giveBack: () => note("giveBack"),
    settled: (comesAgain) => calls.push(`${comesAgain ? "again" : "over"} ${name}`),
  };
}

const read = readDelivery([], null);
const originOf = (key: string | null, signal = new AbortController().signal, attempt: number | null = 1) => ({
  ...{ key, attempt, address: "orders", pairs: [], signal },
});

describe("createDelivery", () => {
  test("the first verb takes effect, and later ones settle as it does", async () => {
    const calls: string[] = [];
    const delivery = createDelivery(read, originOf(null), noting("one", calls));
    await Promise.all([delivery.retry(), delivery.ack(), delivery.reject("late"), delivery.giveBack()]);
    expect(calls).toEqual(["retry(1000) one", "again one"]);

    const lost = new Error("the channel is closed");
    const broken = createDelivery(read, originOf(null), { ...noting("two", calls), ack: () => Promise.reject(lost) });
    const settled = await Promise.allSettled([broken.ack(), broken.retry()]);
    expect(settled.map((one) => one.status === "rejected" && one.reason)).toEqual([lost, lost]);
    expect(calls.slice(2)).toEqual(["again two"]);
  });

  test("what the broker took back settles without a call", async () => {
    const calls: string[] = [];
    const taken = new AbortController();
    const delivery = createDelivery(read, originOf(null, taken.signal), noting("one", calls));
    taken.abort();
    await delivery.ack();
    await delivery.giveBack();
    expect(calls).toEqual(["again one"]);
  });

  test.for(["before", "after"])(
    "its signal aborts when it is taken or given back, if first read %s that",
    async (when) => {
      const taken = new AbortController();
      const [first, second, third] = [1, 2, 3].map(() =>
        createDelivery(read, originOf(null, taken.signal), noting("one", [])),
      ) as [Delivery, Delivery, Delivery];
      if (when === "before")
        expect([first, second, third].map(({ signal }) => signal.aborted)).toEqual([false, false, false]);
      await first.giveBack();
      await third.ack();
      expect([first.signal.aborted, third.signal.aborted]).toEqual([true, false]);
      taken.abort(new Error("revoked"));
      expect(second.signal.reason).toEqual(new Error("revoked"));
      expect(third.signal.aborted).toBe(false);
    },
  );

  test("leaves no listener on a signal that many share", async () => {
    const { signal } = new AbortController();
    const [added, removed] = [vi.spyOn(signal, "addEventListener"), vi.spyOn(signal, "removeEventListener")];
    const delivery = createDelivery(read, originOf(null, signal), noting("one", []));
    expect(added).not.toHaveBeenCalled();
    expect(delivery.signal.aborted).toBe(false);
    expect(added).toHaveBeenCalledOnce();
    await delivery.ack();
    expect(removed.mock.calls).toEqual(added.mock.calls);
  });

  test.for([
    [undefined, 3, 4_000],
    [{}, null, 1_000],
    [{ afterMs: 5 }, 3, 5],
    [{ afterMs: -5 }, 3, 0],
    [{ afterMs: Number.NaN }, 3, 0],
  ] as const)("retry(%o) at attempt %o waits %o ms", async ([options, attempt, ms]) => {
    const calls: string[] = [];
    await createDelivery(read, originOf(null, undefined, attempt), noting("one", calls)).retry(options);
    expect(calls[0]).toBe(`retry(${ms}) one`);
  });
});

describe("createDeliveryQueue", () => {
  test("yields without keys in order and at once", async () => {
    const queue = createDeliveryQueue();
    const calls: string[] = [];
    for (const name of ["one", "two"]) queue.push(read, originOf(null), noting(name, calls));
    const iterator = queue[Symbol.asyncIterator]();
    const [first, second] = [await iterator.next(), await iterator.next()];
    await second.value?.ack();
    await first.value?.ack();
    expect(calls).toEqual(["ack two", "over two", "ack one", "over one"]);
    expect(queue.size).toBe(0);
  });

  test("a key's next one is yielded when the verb of the one before has settled", async () => {
    const queue = createDeliveryQueue();
    const calls: string[] = [];
    let confirm: () => void = () => {};
    queue.push(read, originOf("a"), {
      ...noting("a1", calls),
      ack: () =>
        new Promise((resolve) => {
          confirm = resolve;
        }),
    });
    queue.push(read, originOf("a"), noting("a2", calls));
    queue.push(read, originOf("b"), noting("b1", calls));
    const iterator = queue[Symbol.asyncIterator]();
    const [a1, b1] = [await iterator.next(), await iterator.next()];
    expect([a1.value?.key, b1.value?.key, queue.size]).toEqual(["a", "b", 1]);
    const yielded: (string | null | undefined)[] = [];
    void iterator.next().then(({ value }) => yielded.push(value?.key));
    void a1.value?.ack();
    await turns(2);
    expect(yielded).toEqual([]);
    confirm();
    await turns(2);
    expect(yielded).toEqual(["a"]);
  });

  test.for(["retry", "giveBack", "failing ack", "taken back", "a rejection that comes again"])(
    "after %s the later ones of the key are given back in order, the others not",
    async (how) => {
      const queue = createDeliveryQueue();
      const calls: string[] = [];
      const taken = new AbortController();
      const failing = { ...noting("a1", calls), ack: () => Promise.reject(new Error("closed")) };
      const first = { ...noting("a1", calls), isRejectedAgain: true };
      queue.push(read, originOf("a", taken.signal), how === "failing ack" ? failing : first);
      for (const name of ["b1", "a2", "b2", "a3"]) queue.push(read, originOf(name[0] ?? null), noting(name, calls));
      const { value } = await queue[Symbol.asyncIterator]().next();
      if (how === "taken back") taken.abort();
      if (how === "retry") await value?.retry({ afterMs: 0 });
      else if (how === "giveBack") await value?.giveBack();
      else if (how === "a rejection that comes again") await value?.reject("no");
      else await value?.ack().catch(() => {});
      await turns(1);
      expect(calls.filter((call) => call.startsWith("giveBack")).slice(how === "giveBack" ? 1 : 0)).toEqual([
        "giveBack a2",
        "giveBack a3",
      ]);
      expect(queue.size).toBe(2);
      queue.push(read, originOf("a"), noting("a1 again", calls));
      expect(queue.size).toBe(3);
    },
  );

  test("what was taken back before it was yielded is left out, and those of its key given back", async () => {
    const queue = createDeliveryQueue();
    const calls: string[] = [];
    const taken = new AbortController();
    queue.push(read, originOf("a", taken.signal), noting("a1", calls));
    queue.push(read, originOf("a"), noting("a2", calls));
    queue.push(read, originOf("b"), noting("b1", calls));
    taken.abort();
    const { value } = await queue[Symbol.asyncIterator]().next();
    expect(value?.key).toBe("b");
    await turns(1);
    expect(calls).toEqual(["again a1", "giveBack a2", "again a2"]);
  });

  test.for(["signal", "end", "leaving the loop"])(
    "on %s the rest is given back, behind what is in flight",
    async (how) => {
      const calls: string[] = [];
      const stop = new AbortController();
      const ended = vi.fn();
      const queue = createDeliveryQueue({ signal: stop.signal, ended });
      for (const name of ["a1", "a2", "b1", "b2"]) queue.push(read, originOf(name[0] ?? null), noting(name, calls));
      let first: Delivery | undefined;
      for await (const delivery of queue) {
        first ??= delivery;
        if (how === "signal") stop.abort();
        else if (how === "end") queue.end();
        else break;
      }
      await turns(1);
      expect(ended).toHaveBeenCalledOnce();
      expect(calls).toEqual(["giveBack b1", "again b1", "giveBack b2", "again b2"]);
      queue.push(read, originOf("a"), noting("a3", calls));
      queue.push(read, originOf(null), noting("late", calls));
      await turns(1);
      expect(calls.slice(4)).toEqual(["giveBack late", "again late"]);
      await first?.ack();
      await turns(1);
      expect(calls.slice(6)).toEqual([
        ...["ack a1", "over a1"],
        ...["giveBack a2", "giveBack a3", "again a2", "again a3"],
      ]);
      expect(queue.size).toBe(0);
    },
  );

  test("a signal that aborted before ends it at once, and an error is thrown to whoever iterates", async () => {
    const ended = vi.fn();
    const stopped = createDeliveryQueue({ signal: AbortSignal.abort(), ended });
    expect(ended).toHaveBeenCalledOnce();
    expect(await stopped[Symbol.asyncIterator]().next()).toEqual({ done: true, value: undefined });

    const failing = createDeliveryQueue();
    const next = failing[Symbol.asyncIterator]().next();
    failing.end(new Error("no connection"));
    failing.end(new Error("second"));
    await expect(next).rejects.toThrow("no connection");
  });

  test("below() waits for room, and for no longer than the queue lasts", async () => {
    const queue = createDeliveryQueue();
    queue.push(read, originOf(null), noting("one", []));
    queue.push(read, originOf(null), noting("two", []));
    await queue.below(3);
    let hasRoom = false;
    const room = queue.below(2).then(() => {
      hasRoom = true;
    });
    await turns(1);
    expect(hasRoom).toBe(false);
    await queue[Symbol.asyncIterator]().next();
    await room;
    const never = queue.below(0);
    queue.end();
    await never;
  });

  test("two deliveries of one thousand keys leave nothing behind", async () => {
    const queue = createDeliveryQueue();
    const calls: string[] = [];
    const iterator = queue[Symbol.asyncIterator]();
    for (let i = 0; i < 2_000; i++) {
      queue.push(read, originOf(`key_${i % 1_000}`), noting(String(i), calls));
      await (await iterator.next()).value?.ack();
    }
    expect(calls.filter((call) => call.startsWith("ack"))).toEqual(Array.from({ length: 2_000 }, (_, i) => `ack ${i}`));
    expect(queue.size).toBe(0);
  });
});
