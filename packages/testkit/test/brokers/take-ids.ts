import type { Consumer } from "@sinkwire/delivery";
import { takeUntil } from "../../src/transport-suite/index.js";

/** Takes so many messages as a consumer, and tells their ids, sorted: not every server keeps an order. */
export async function takeIds(consumer: Consumer, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  await takeUntil(consumer, ({ message }) => ids.push(message.id) >= count, { concurrency: 1 });
  await consumer.close();
  return ids.sort();
}
