import { type MessageBroker, startBroker } from "../brokers/index.js";
import type { Lane } from "../transport-suite/index.js";
import { TRANSPORTS } from "../transport-suite/transports/index.js";
import type { DemoDelivery, DemoQueue } from "./demo-queue.js";

/** A queue on a real server, and what to say of it. */
export interface BrokerQueue extends DemoQueue {
  /** Product and version of the server, as `Apache Kafka 4.4.0`. */
  readonly version: string;
}

/**
 * Opens a queue on a real server: the one of its URL variable, or one that is started for it and ends with it.
 *
 * @throws Error when the server cannot be had or does not start
 */
export async function brokerQueue(name: MessageBroker): Promise<BrokerQueue> {
  const broker = await startBroker(name);
  try {
    const lane = await TRANSPORTS[name].open(broker);
    return { ...(await queueOf(lane, name !== "redis", () => broker.stop())), version: broker.version };
  } catch (error) {
    await broker.stop();
    throw error;
  }
}

async function queueOf(lane: Lane, carriesMetadata: boolean, stop: () => Promise<void>): Promise<DemoQueue> {
  const publisher = await lane.publisher();
  const { consumer } = await lane.consumer();
  const done = new AbortController();
  let open = 0;
  let isEnded = false;
  const look = (): void => {
    if (isEnded && open === 0) done.abort();
  };

  async function* deliveries(): AsyncGenerator<DemoDelivery> {
    for await (const delivery of consumer.deliveries({ signal: done.signal })) {
      const settle = async (): Promise<void> => {
        await (delivery.kind === "invalid" ? delivery.reject(delivery.error.code) : delivery.ack());
        open--;
        look();
      };
      yield { read: delivery, settle };
    }
  }

  return {
    carriesMetadata,
    async publish(message) {
      const { duplicate } = await publisher.publish(message);
      if (!duplicate) open++;
      return { duplicate };
    },
    deliveries,
    end() {
      isEnded = true;
      look();
    },
    async close() {
      done.abort();
      await publisher.close();
      await consumer.close();
      await lane.close();
      await stop();
    },
  };
}
