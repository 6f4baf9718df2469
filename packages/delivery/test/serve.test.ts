import { SinkwireError } from "@sinkwire/message";
import { afterEach, describe, expect, test, vi } from "vitest";
import { type Consumer, type Delivery, type MessageDelivery, retryBackoff, serve } from "../src/index.js";
import { type MemoryBroker, memoryBroker, turns } from "./memory-broker.js";

afterEach(() => {
  vi.useRealTimers();
});

/** Only the timers of delays: the broker's turns of the event loop stay real. */
const fakeDelays = (): void => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
};

/** Serves until the broker is drained. */
async function serveAll(
  broker: MemoryBroker,
  handler: (delivery: MessageDelivery) => void | Promise<void>,
  options: Parameters<typeof serve>[2] = {},
): Promise<void> {
  const stop = new AbortController();
  const served = serve(broker.consumer(10), handler, { ...options, signal: stop.signal });
  await Promise.race([broker.drained(), served]);
  stop.abort();
  await served;
}

const permanent = (): Error => Object.assign(new Error("never again"), { retryable: false, code: "bad_order" });

test.for([
  [null, 1_000],
  [1, 1_000],
  [2, 2_000],
  [5, 16_000],
  [6, 30_000],
  [1_000_000, 30_000],
  [0, 1_000],
] as const)("retryBackoff of attempt %o is %o ms", ([attempt, ms]) => {
  expect(retryBackoff(attempt)).toBe(ms);
});

describe("what ends a delivery", () => {
  test("returning acknowledges, a permanent error rejects with its message and code", async () => {
    const broker = memoryBroker();
    broker.add("evt_1");
    broker.add("evt_2");
    const told: unknown[] = [];
    await serveAll(
      broker,
      ({ message }) => {
        if (message.id === "evt_2") throw permanent();
      },
      { onError: (error, { kind }) => told.push([(error as Error).message, kind]) },
    );
    expect(broker.verbs.toSorted()).toEqual(["ack evt_1", "reject evt_2"]);
    expect(broker.dead[0]?.pairs).toEqual(
      expect.arrayContaining([
        ["sinkwire_dead_reason", "never again"],
        ["sinkwire_dead_code", "bad_order"],
      ]),
    );
    expect(told).toEqual([["never again", "message"]]);
  });

  test.for([
    ["an unknown error", new Error("oops")],
    ["a retryable error", new SinkwireError("claim_check_unavailable", "later", { retryable: true })],
    ["undefined", undefined],
    ["null", null],
    ["text", "oops"],
    ["an object whose retryable is no boolean", { retryable: 0 }],
  ] as const)("%s is retried: after 1 s, then 2 s", async ([, error]) => {
    fakeDelays();
    const broker = memoryBroker();
    broker.add("evt_1");
    const attempts: (number | null)[] = [];
    const served = serveAll(broker, ({ attempt }) => {
      attempts.push(attempt);
      if (attempts.length < 3) throw error;
    });
    for (const [ms, seen] of [
      [999, 1],
      [1, 2],
      [1_999, 2],
      [1, 3],
    ] as const) {
      await turns(5);
      await vi.advanceTimersByTimeAsync(ms);
      await turns(5);
      expect(attempts.length).toBe(seen);
    }
    await served;
    expect(attempts).toEqual([1, 2, 3]);
  });

  test.for([
    [{ retryAfterMs: 5_000 }, 5_000],
    [{ retryAfterMs: 10 }, 1_000],
    [{ retryAfterMs: Number.POSITIVE_INFINITY }, 86_400_000],
    [{ retryAfterMs: Number.NaN }, 1_000],
    [{ retryAfterMs: "5000" }, 1_000],
  ] as const)("an error with %o waits %o ms", async ([error, ms]) => {
    const afterMs = await new Promise((resolve) => {
      const consumer = consumerOf([fakeDelivery({ retry: async (options) => resolve(options?.afterMs) })]);
      void serve(consumer, () => {}, {
        onTombstone: () => {
          throw error;
        },
      });
    });
    expect(afterMs).toBe(ms);
  });

  test("a handler's own verb counts, also when it is not awaited and when the handler throws then", async () => {
    const broker = memoryBroker();
    for (const id of ["evt_1", "evt_2", "evt_3"]) broker.add(id);
    await serveAll(broker, (delivery) => {
      if (delivery.message.id === "evt_1") void delivery.reject("mine", { code: "own" });
      if (delivery.message.id === "evt_2") {
        void delivery.ack();
        throw new Error("after the ack");
      }
      if (delivery.message.id === "evt_3" && delivery.attempt === 1) void delivery.retry({ afterMs: 0 });
    });
    expect(broker.verbs.toSorted()).toEqual(["ack evt_2", "ack evt_3", "reject evt_1", "retry evt_3"]);
    expect(broker.dead[0]?.pairs).toContainEqual(["sinkwire_dead_code", "own"]);
  });

  test("a verb that fails is told once and stops nothing", async () => {
    const broker = memoryBroker();
    broker.add("evt_1");
    broker.failing = "ack";
    const told: string[] = [];
    const stop = new AbortController();
    await serve(
      broker.consumer(1),
      async (delivery) => {
        setImmediate(() => stop.abort());
        await delivery.ack();
      },
      { signal: stop.signal, onError: (error) => told.push((error as Error).message) },
    );
    expect(told).toEqual(["ack failed"]);
    expect(broker.verbs).toEqual(["ack evt_1"]);
  });

  test("a backoff that throws is told, and the default counts", async () => {
    const told: unknown[] = [];
    const error = new Error("bad backoff");
    const options = await new Promise((resolve) => {
      const consumer = consumerOf([fakeDelivery({ retry: async (given) => resolve(given) })]);
      void serve(consumer, () => {}, {
        onTombstone: () => {
          throw new Error("again");
        },
        backoff: () => {
          throw error;
        },
        onError: (thrown) => told.push(thrown),
      });
    });
    expect(options).toBeUndefined();
    expect(told).toContain(error);
  });
});

describe("what is no message", () => {
  test("an invalid read is rejected with its code, whatever onInvalid does, and never comes again", async () => {
    const broker = memoryBroker();
    for (const id of ["evt_1", "evt_2", "evt_3"]) broker.add(id, null, Buffer.from("no message"));
    const seen: string[] = [];
    await serveAll(broker, () => {}, {
      onInvalid: async (delivery) => {
        const verbs = Object.entries(delivery).flatMap(([name, value]) => (typeof value === "function" ? [name] : []));
        seen.push(`${delivery.error.code} ${verbs} ${Buffer.from(delivery.bytes)}`);
        if (seen.length === 1) throw new Error("retry me");
        if (seen.length === 2) await delivery.ack();
      },
    });
    expect(seen).toEqual(Array(3).fill("invalid_json ack,reject no message"));
    expect(broker.verbs.toSorted()).toEqual(["ack evt_2", "reject evt_1", "reject evt_3"]);
    for (const { pairs } of broker.dead) {
      expect(pairs).toContainEqual(["sinkwire_dead_reason", "invalid_json"]);
      expect(pairs).toContainEqual(["sinkwire_dead_code", "invalid_json"]);
    }
  });

  test("without onInvalid it is rejected too", async () => {
    const broker = memoryBroker();
    broker.add("evt_1", null, Buffer.from("{}"));
    await serveAll(broker, () => expect.unreachable());
    expect(broker.verbs).toEqual(["reject evt_1"]);
    expect(broker.dead[0]?.bytes).toEqual(Buffer.from("{}"));
  });

  test("a tombstone is acknowledged, or handed over", async () => {
    const broker = memoryBroker();
    broker.add("evt_1", null, null);
    await serveAll(broker, () => expect.unreachable());
    expect(broker.verbs).toEqual(["ack evt_1"]);
    broker.add("evt_2", null, null);
    await serveAll(broker, () => expect.unreachable(), {
      onTombstone: ({ metadata }) => {
        expect(metadata.id).toBe("evt_2");
        throw permanent();
      },
    });
    expect(broker.verbs.at(-1)).toBe("reject evt_2");
    expect(broker.dead[0]?.bytes).toBeNull();
  });
});

describe("order of a key", () => {
  test("after a retry the later ones come after it, unhandled before, with no attempt spent", async () => {
    fakeDelays();
    const broker = memoryBroker();
    for (const id of ["a1", "a2", "a3"]) broker.add(id, "a");
    broker.add("b1", "b");
    const calls: string[] = [];
    const served = serveAll(broker, ({ message, attempt }) => {
      calls.push(`${message.id} ${attempt}`);
      if (message.id === "a1" && attempt === 1) throw new Error("again");
    });
    await turns(20);
    expect(calls).toEqual(["a1 1", "b1 1"]);
    await vi.advanceTimersByTimeAsync(1_000);
    await served;
    expect(calls).toEqual(["a1 1", "b1 1", "a1 2", "a2 1", "a3 1"]);
    expect(broker.verbs).toEqual(["ack b1", "retry a1", "giveBack a2", "giveBack a3", "ack a1", "ack a2", "ack a3"]);
  });

  test("a delivery that is taken back keeps its key until its handler has ended", async () => {
    const broker = memoryBroker();
    const first = broker.add("a1", "a");
    broker.add("a2", "a");
    const calls: string[] = [];
    await serveAll(broker, async ({ message, signal }) => {
      calls.push(`start ${message.id}`);
      if (calls.length === 1) {
        first.takeBack();
        expect(signal.aborted).toBe(true);
        await turns(10);
      }
      calls.push(`end ${message.id}`);
    });
    expect(calls).toEqual(["start a1", "end a1", "start a1", "end a1", "start a2", "end a2"]);
    expect(broker.faults).toEqual([]);
  });
});

describe("stop", () => {
  test("drains within the grace, gives back what was not yielded, and takes nothing new", async () => {
    const broker = memoryBroker();
    for (let i = 1; i <= 4; i++) broker.add(`evt_${i}`);
    const stop = new AbortController();
    const gate = gateOf<void>();
    const signals: boolean[] = [];
    const served = serve(
      broker.consumer(3),
      async ({ signal }) => {
        await gate.promise;
        signals.push(signal.aborted);
      },
      { concurrency: 2, signal: stop.signal },
    );
    await turns(10);
    expect(broker.records.map(({ state }) => state)).toEqual(["out", "out", "out", "queued"]);
    stop.abort();
    await turns(5);
    expect(broker.verbs).toEqual(["giveBack evt_3"]);
    gate.resolve();
    await served;
    expect(broker.verbs).toEqual(["giveBack evt_3", "ack evt_1", "ack evt_2"]);
    expect(signals).toEqual([false, false]);
    await turns(5);
    expect(broker.records.map(({ state }) => state)).toEqual(["acked", "acked", "queued", "queued"]);
  });

  test("after the grace the rest is given back, its signals abort, and what a late handler does has no effect", async () => {
    fakeDelays();
    const broker = memoryBroker();
    broker.add("evt_1");
    const stop = new AbortController();
    const gate = gateOf<void>();
    let aborts = 0;
    const served = serve(
      broker.consumer(1),
      async ({ signal }) => {
        signal.addEventListener("abort", () => aborts++);
        await gate.promise;
      },
      { signal: stop.signal },
    );
    await turns(3);
    stop.abort();
    await vi.advanceTimersByTimeAsync(24_999);
    expect([aborts, broker.verbs.length]).toEqual([0, 0]);
    await vi.advanceTimersByTimeAsync(1);
    await served;
    expect([aborts, broker.verbs]).toEqual([1, ["giveBack evt_1"]]);
    gate.resolve();
    await turns(3);
    expect(broker.verbs).toEqual(["giveBack evt_1"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("what is held for a retry does not hold up a stop", async () => {
    fakeDelays();
    const broker = memoryBroker();
    broker.add("evt_1");
    const stop = new AbortController();
    const handler = (): void => {
      throw new Error("again");
    };
    const served = serve(broker.consumer(1), handler, { signal: stop.signal });
    await turns(5);
    stop.abort();
    await served;
    expect(broker.verbs).toEqual(["retry evt_1"]);
  });

  test("a signal that aborted before takes nothing", async () => {
    const broker = memoryBroker();
    broker.add("evt_1");
    await serve(broker.consumer(1), () => expect.unreachable(), { signal: AbortSignal.abort() });
    await turns(3);
    expect(broker.records[0]?.state).toBe("queued");
  });

  test("a delivery that comes although it was stopped is given back", async () => {
    const next = gateOf<IteratorResult<Delivery>>();
    const giveBack = vi.fn(async () => {});
    const stop = new AbortController();
    const served = serve(
      { deliveries: () => ({ [Symbol.asyncIterator]: () => ({ next: () => next.promise }) }), close: async () => {} },
      () => expect.unreachable(),
      { signal: stop.signal },
    );
    stop.abort();
    await served;
    next.resolve({ done: false, value: fakeDelivery({ giveBack }) });
    await turns(2);
    expect(giveBack).toHaveBeenCalledOnce();
  });

  test("leaves no listener on the caller's signal", async () => {
    const { signal } = new AbortController();
    const [added, removed] = [vi.spyOn(signal, "addEventListener"), vi.spyOn(signal, "removeEventListener")];
    await serve(consumerOf([fakeDelivery({})]), () => {}, { signal });
    expect(added).toHaveBeenCalledOnce();
    expect(removed.mock.calls).toEqual(added.mock.calls);
  });
});

describe("faults", () => {
  test("when the consumer cannot go on, what is in flight is drained and its error thrown", async () => {
    const lost = new Error("the stream is gone");
    const ack = vi.fn(async () => {});
    const consumer: Consumer = {
      async *deliveries() {
        yield fakeDelivery({ ack });
        throw lost;
      },
      close: async () => {},
    };
    await expect(serve(consumer, () => {}, { onTombstone: () => turns(5) })).rejects.toBe(lost);
    expect(ack).toHaveBeenCalledOnce();
  });

  test("an onError that throws stops it, with that error", async () => {
    const broker = memoryBroker();
    broker.add("evt_1");
    const fault = new Error("the logger is broken");
    const served = serveAll(
      broker,
      () => {
        throw permanent();
      },
      {
        onError: () => {
          throw fault;
        },
      },
    );
    await expect(served).rejects.toBe(fault);
    expect(broker.verbs).toEqual(["reject evt_1"]);
  });

  test.for([
    ["concurrency", 0],
    ["concurrency", 1.5],
    ["graceMs", -1],
    ["graceMs", 2 ** 31],
  ] as const)("%s of %o is refused by name", async ([field, value]) => {
    const served = serve(memoryBroker().consumer(1), () => {}, { [field]: value });
    await expect(served).rejects.toMatchObject({ code: "invalid_hook", field });
  });
});

test("a slow handler bounds what is received, for any number of messages", async () => {
  const broker = memoryBroker();
  for (let i = 0; i < 500; i++) broker.add(`evt_${i}`, `key_${i % 7}`);
  let inFlight = 0;
  let most = 0;
  await serveAll(
    broker,
    async () => {
      most = Math.max(most, ++inFlight);
      await turns(5);
      inFlight--;
    },
    { concurrency: 3 },
  );
  expect(most).toBe(3);
  expect(broker.mostOut).toBeLessThanOrEqual(10);
  expect(new Set(broker.verbs).size).toBe(500);
});

function fakeDelivery(verbs: Partial<Pick<Delivery, "ack" | "retry" | "giveBack">>): Delivery {
  return {
    kind: "tombstone",
    metadata: {} as Delivery["metadata"],
    ...{ key: null, attempt: null, address: "fake", pairs: [], signal: new AbortController().signal },
    ...{ ack: async () => {}, retry: async () => {}, reject: async () => {}, giveBack: async () => {} },
    ...verbs,
  };
}

function consumerOf(deliveries: readonly Delivery[]): Consumer {
  return {
    async *deliveries() {
      yield* deliveries;
    },
    close: async () => {},
  };
}

/** A promise and what resolves it. */
function gateOf<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((open) => {
    resolve = open;
  });
  return { promise, resolve };
}
