import { expect, it } from "vitest";
import type { MessageBroker } from "../../src/brokers/index.js";
import { brokerQueue } from "../../src/demo/broker-queue.js";
import { runDemo } from "../../src/demo/run-demo.js";

/** The demo through a real server: every hook comes back, and what was staged is found. */
export function itRunsTheDemo(name: MessageBroker): void {
  it(`carries the demo through ${name}`, async () => {
    const { losses, staged, handled, sent } = await runDemo({ queue: await brokerQueue(name) });
    expect(losses).toEqual([]);
    expect(handled.size).toBeGreaterThan(300);
    expect(handled).toEqual(new Set(sent.keys()));
    expect(staged.redelivered + staged.deduplicated).toBeGreaterThan(0);
    expect(staged.damaged).toBe(name === "redis" ? 1 : 2);
  }, 120_000);
}
