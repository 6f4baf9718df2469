import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createHolds, keepLease } from "../../src/adapter/index.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("createHolds", () => {
  test("each is held for its time, with one timer for all", async () => {
    const holds = createHolds();
    const { signal } = new AbortController();
    const ended: string[] = [];
    for (const [name, ms] of [
      ["c", 3000],
      ["a", 1000],
      ["b", 2000],
      ["a2", 1000],
      ["now", 0],
    ] as const) {
      void holds.hold(ms, { signal }).then(() => ended.push(name));
    }
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(999);
    expect(ended).toEqual(["now"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toEqual(["now", "a", "a2"]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(ended).toEqual(["now", "a", "a2", "b", "c"]);
    expect([holds.size, vi.getTimerCount()]).toEqual([0, 0]);
  });

  test("an abort ends one hold and leaves the others", async () => {
    const holds = createHolds();
    const [first, second] = [new AbortController(), new AbortController()];
    const ended: string[] = [];
    void holds.hold(1000, first).then(() => ended.push("first"));
    void holds.hold(2000, second).then(() => ended.push("second"));
    first.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect([ended, holds.size, vi.getTimerCount()]).toEqual([["first"], 1, 1]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(ended).toEqual(["first", "second"]);
    await holds.hold(5000, first);
    expect([holds.size, vi.getTimerCount()]).toEqual([0, 0]);
  });

  test("a time over what a timer takes is held all the same", async () => {
    const holds = createHolds();
    const month = 31 * 86_400_000;
    let isEnded = false;
    void holds.hold(month, new AbortController()).then(() => {
      isEnded = true;
    });
    await vi.advanceTimersByTimeAsync(month - 1);
    expect(isEnded).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isEnded).toBe(true);
  });
});

describe("keepLease", () => {
  test("extends at a third of the lease until it is stopped", async () => {
    const lost = vi.fn();
    const extend = vi.fn(async (_signal: AbortSignal) => {});
    const stop = keepLease(extend, { leaseMs: 30_000, lost });
    await vi.advanceTimersByTimeAsync(9_999);
    expect(extend).toHaveBeenCalledTimes(0);
    await vi.advanceTimersByTimeAsync(30_001);
    expect(extend).toHaveBeenCalledTimes(4);
    stop();
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(100_000);
    expect(extend).toHaveBeenCalledTimes(4);
    expect(lost).not.toHaveBeenCalled();
  });

  test("a failing extension loses it once", async () => {
    const lost = vi.fn();
    const error = new Error("the receipt has expired");
    keepLease(() => Promise.reject(error), { leaseMs: 30_000, everyMs: 1_000, lost });
    await vi.advanceTimersByTimeAsync(100_000);
    expect(lost.mock.calls).toEqual([[error]]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("an extension that throws at once loses it too", async () => {
    const lost = vi.fn();
    const error = new Error("no connection");
    keepLease(
      () => {
        throw error;
      },
      { leaseMs: 30_000, lost },
    );
    await vi.advanceTimersByTimeAsync(10_000);
    expect(lost.mock.calls).toEqual([[error]]);
  });

  test("an extension without an answer loses it when the lease has run out, and is told to stop", async () => {
    const lost = vi.fn();
    let given: AbortSignal | undefined;
    keepLease(
      (signal) => {
        given = signal;
        return new Promise(() => {});
      },
      { leaseMs: 30_000, lost },
    );
    await vi.advanceTimersByTimeAsync(29_999);
    expect([given?.aborted, lost.mock.calls.length]).toEqual([false, 0]);
    await vi.advanceTimersByTimeAsync(1);
    expect([given?.aborted, lost.mock.calls.length]).toEqual([true, 1]);
  });

  test("a slow answer counts from when it was asked for", async () => {
    const lost = vi.fn();
    const asked: number[] = [];
    const start = performance.now();
    const stop = keepLease(
      () => {
        asked.push(performance.now() - start);
        return new Promise((resolve) => setTimeout(resolve, 9_000));
      },
      { leaseMs: 30_000, lost },
    );
    await vi.advanceTimersByTimeAsync(45_000);
    expect(asked).toEqual([10_000, 20_000, 30_000, 40_000]);
    stop();
    await vi.advanceTimersByTimeAsync(100_000);
    expect([asked.length, lost.mock.calls.length]).toEqual([4, 0]);
  });

  test("an extension that fails after the stop loses nothing", async () => {
    const lost = vi.fn();
    let fail: (error: Error) => void = () => {};
    const stop = keepLease(
      () =>
        new Promise((_, reject) => {
          fail = reject;
        }),
      { leaseMs: 3_000, lost },
    );
    await vi.advanceTimersByTimeAsync(1_000);
    stop();
    fail(new Error("late"));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(lost).not.toHaveBeenCalled();
  });
});
