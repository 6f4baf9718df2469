import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createWatermark, type OffsetTicket } from "../../src/adapter/index.js";

/** Receives an offset that is expected to be taken. */
function receive(watermark: ReturnType<typeof createWatermark>, offset: bigint): OffsetTicket {
  const ticket = watermark.receive(offset);
  if (ticket === null) throw new Error(`offset ${offset} was skipped`);
  return ticket;
}

describe("createWatermark", () => {
  test("commits the contiguous prefix, over gaps of the log", () => {
    const watermark = createWatermark();
    expect(watermark.committable).toBeNull();
    const [five, eight, nine] = [5n, 8n, 9n].map((offset) => receive(watermark, offset));
    expect(watermark.committable).toBe(5n);
    expect(watermark.finish(eight as OffsetTicket)).toBeNull();
    expect(watermark.finish(five as OffsetTicket)).toBe(9n);
    expect(watermark.finish(nine as OffsetTicket)).toBe(10n);
    expect(watermark.unfinished).toBe(0);
  });

  test("an ack after revocation does nothing, also when the offset was received anew", () => {
    const watermark = createWatermark();
    const old = receive(watermark, 5n);
    watermark.revoke();
    expect(watermark.finish(old)).toBeNull();
    expect(watermark.committable).toBeNull();
    const again = receive(watermark, 5n);
    expect(watermark.finish(old)).toBeNull();
    expect(watermark.committable).toBe(5n);
    expect(watermark.finish(again)).toBe(6n);
    expect(watermark.finish(again)).toBeNull();
  });

  test("after a seek back only what was given back is received again", () => {
    const watermark = createWatermark();
    const [one, two, three, four] = [1n, 2n, 3n, 4n].map((offset) => receive(watermark, offset)) as [
      OffsetTicket,
      OffsetTicket,
      OffsetTicket,
      OffsetTicket,
    ];
    watermark.finish(three);
    watermark.giveBack(four);
    watermark.giveBack(one);
    expect(watermark.resume()).toBe(1n);
    const again = receive(watermark, 1n);
    expect([watermark.receive(2n), watermark.receive(3n)]).toEqual([null, null]);
    expect(receive(watermark, 4n)).not.toBe(four);
    expect(watermark.finish(one)).toBeNull();
    expect(watermark.finish(again)).toBe(2n);
    expect(watermark.finish(two)).toBe(4n);
  });

  test("what was given back and is gone from the log counts as finished", () => {
    const watermark = createWatermark();
    const tickets = [1n, 2n, 3n].map((offset) => receive(watermark, offset));
    for (const ticket of tickets) watermark.giveBack(ticket);
    expect(receive(watermark, 4n).offset).toBe(4n);
    expect(watermark.committable).toBe(1n);
    expect(watermark.resume()).toBe(1n);
    receive(watermark, 3n);
    expect(watermark.committable).toBe(3n);
  });

  test("agrees with a model that remembers every offset", () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant("receive" as const), gap: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ do: fc.constantFrom("finish" as const, "giveBack" as const), which: fc.nat() }),
      fc.record({ do: fc.constantFrom("seek" as const, "revoke" as const) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const watermark = createWatermark();
        let log: { offset: bigint; is: "out" | "back" | "done" }[] = [];
        let tickets: OffsetTicket[] = [];
        let last = 0n;
        for (const one of steps) {
          const committable = (): bigint | null =>
            log.find(({ is }) => is !== "done")?.offset ?? (log.length === 0 ? null : last + 1n);
          if (one.do === "receive") {
            last += BigInt(one.gap);
            tickets.push(receive(watermark, last));
            log.push({ offset: last, is: "out" });
          } else if (one.do === "revoke") {
            watermark.revoke();
            for (const ticket of tickets) expect(watermark.finish(ticket)).toBeNull();
            [log, tickets] = [[], []];
          } else if (one.do === "seek") {
            const from = watermark.resume();
            expect(from).toBe(log.find(({ is }) => is === "back")?.offset ?? null);
            for (const entry of log.filter(({ offset }) => from !== null && offset >= from)) {
              const ticket = watermark.receive(entry.offset);
              expect(ticket === null).toBe(entry.is !== "back");
              if (ticket === null) continue;
              tickets = [...tickets.filter(({ offset }) => offset !== entry.offset), ticket];
              entry.is = "out";
            }
          } else if ("which" in one && tickets.length > 0) {
            const ticket = tickets[one.which % tickets.length] as OffsetTicket;
            const entry = log.find(({ offset }) => offset === ticket.offset);
            const before = committable();
            const isOut = entry?.is === "out";
            if (entry !== undefined && isOut) entry.is = one.do === "finish" ? "done" : "back";
            if (one.do === "giveBack") watermark.giveBack(ticket);
            else expect(watermark.finish(ticket)).toBe(committable() === before ? null : committable());
          }
          expect(watermark.committable).toBe(committable());
          expect(watermark.unfinished).toBe(log.filter(({ is }) => is !== "done").length);
          const now = watermark.committable;
          expect(log.filter(({ offset, is }) => now !== null && offset < now && is !== "done")).toEqual([]);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("memory is in proportion to what is unfinished, not to what was received", () => {
    const watermark = createWatermark();
    const stuck = receive(watermark, 0n);
    for (let offset = 1n; offset < 20_000n; offset++) {
      watermark.finish(receive(watermark, offset));
      expect(watermark.unfinished).toBe(1);
    }
    expect(watermark.finish(stuck)).toBe(20_000n);
  });
});
