import fc from "fast-check";
import { expect, test } from "vitest";
import { serve } from "../src/index.js";
import { memoryBroker, turns } from "./memory-broker.js";

const outcome = fc.constantFrom("ack", "ack", "ack", "throw", "reject", "own retry", "taken back", "give back");
const runs = fc.record({
  keys: fc.array(fc.constantFrom("a", "b", "c", null), { minLength: 1, maxLength: 24 }),
  outcomes: fc.array(outcome, { minLength: 1, maxLength: 48 }),
  hops: fc.array(fc.nat(3), { minLength: 1, maxLength: 24 }),
  concurrency: fc.integer({ min: 1, max: 5 }),
  prefetch: fc.integer({ min: 1, max: 12 }),
});

test("whatever handlers do, a key's deliveries come one at a time and in order, none is lost and none settled twice", async () => {
  await fc.assert(
    fc.asyncProperty(runs, async ({ keys, outcomes, hops, concurrency, prefetch }) => {
      const broker = memoryBroker();
      const stop = new AbortController();
      const positions = new Map(keys.map((key, index) => [broker.add(`evt_${index}`, key).id, index]));
      const inFlight: string[] = [];
      const overlaps: string[] = [];
      const outOfOrder: string[] = [];
      const attempts = new Map<string, number>();
      let calls = 0;
      let most = 0;

      const served = serve(
        broker.consumer(prefetch),
        async (delivery) => {
          const { id } = delivery.message;
          const record = broker.records[positions.get(id) ?? -1];
          if (record === undefined) throw new Error("unknown record");
          const call = calls++;
          const { key } = delivery;
          if (key !== null && inFlight.includes(key)) overlaps.push(id);
          const earlier = broker.records.slice(0, positions.get(id)).filter((one) => one.key === key);
          if (key !== null && earlier.some(({ state }) => state === "queued" || state === "out")) outOfOrder.push(id);
          if (delivery.attempt !== (attempts.get(id) ?? 0) + 1) overlaps.push(`attempt ${delivery.attempt} of ${id}`);
          inFlight.push(key ?? "none");
          most = Math.max(most, inFlight.length);
          try {
            await turns(hops[call % hops.length] ?? 0);
            // Outcomes run out, so that every run comes to its end.
            const outcome = outcomes[call] ?? "ack";
            if (outcome === "throw" || outcome === "own retry") attempts.set(id, delivery.attempt ?? 0);
            if (outcome === "throw") throw new Error("again");
            if (outcome === "reject") throw Object.assign(new Error("never"), { retryable: false });
            if (outcome === "own retry") await delivery.retry({ afterMs: 0 });
            if (outcome === "give back") await delivery.giveBack();
            if (outcome === "taken back") record.takeBack();
          } finally {
            inFlight.splice(inFlight.indexOf(key ?? "none"), 1);
          }
        },
        { concurrency, signal: stop.signal, backoff: () => 0 },
      );
      await broker.drained();
      stop.abort();
      await served;
      expect(overlaps).toEqual([]);
      expect(outOfOrder).toEqual([]);
      expect(broker.faults).toEqual([]);
      expect(most).toBeLessThanOrEqual(concurrency);
      expect(broker.mostOut).toBeLessThanOrEqual(prefetch);
      const final = broker.verbs.filter((verb) => /^(ack|reject) /.test(verb)).map((verb) => verb.split(" ")[1]);
      expect(final.toSorted()).toEqual([...positions.keys()].toSorted());
    }),
  );
});
