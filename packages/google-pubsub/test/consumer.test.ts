import { Duplex } from "node:stream";
import { serve } from "@sinkwire/delivery";
import { describe, expect, test, vi } from "vitest";
import {
  createPubsubConsumer,
  type PubsubPullRequest,
  type PubsubPullStream,
  type PubsubSubscriberClient,
  toPubsub,
} from "../src/index.js";

const subscription = "projects/p/subscriptions/s";
const hook = { source_id: "orders", received_at: 0, body: Buffer.from("{}") };

/**
 * A subscription that hands out all of a key at once, and again from the first that was given back, as the service does;
 * the in-memory server hands out one at a time.
 */
function eagerSubscription(ids: readonly string[]) {
  const asked: PubsubPullRequest[] = [];
  const said: string[] = [];
  let round = 0;
  let stream: Duplex & PubsubPullStream;
  const left = (): string[] => ids.filter((id) => !said.includes(`ack ${id}`));
  const deliver = (): void => {
    round++;
    const receivedMessages = left().map((id) => ({
      ackId: `${id} ${round}`,
      deliveryAttempt: round,
      message: toPubsub({ ...hook, id }, { ordering_key: "k" }),
    }));
    stream.push({ receivedMessages });
  };
  const client: PubsubSubscriberClient = {
    initialize: async () => {},
    streamingPull() {
      const duplex = new Duplex({
        objectMode: true,
        read() {},
        write(request: PubsubPullRequest, _encoding, done) {
          asked.push(request);
          deliver();
          done();
        },
        final(done) {
          this.push(null);
          done();
        },
      });
      stream = Object.assign(duplex, { cancel: () => void duplex.destroy() });
      return stream;
    },
    async acknowledge({ ackIds }) {
      said.push(...ackIds.map((ackId) => `ack ${ackId.split(" ", 1)[0]}`));
    },
    async modifyAckDeadline({ ackIds, ackDeadlineSeconds }) {
      expect(ackDeadlineSeconds).toBe(0);
      said.push(...ackIds.map((ackId) => `nack ${ackId}`));
      if (ackIds.includes(`${left()[0]} ${round}`)) deliver();
    },
  };
  return { client, asked, said };
}

describe("a consumer", () => {
  test("asks for what it has room for, shared out between its streams", async () => {
    const { client, asked } = eagerSubscription([]);
    const consumer = createPubsubConsumer({
      ...{ client, subscription, deadLetters: null },
      ...{ prefetch: 7, prefetchBytes: 1_000, streams: 3, ackDeadlineMs: 20_500 },
    });
    const stop = new AbortController();
    const serving = serve(consumer, () => {}, { signal: stop.signal });
    await vi.waitFor(() => expect(asked).toHaveLength(3));
    stop.abort();
    await serving;
    await consumer.close();
    for (const request of asked) {
      expect(request).toEqual({
        ...{ subscription, streamAckDeadlineSeconds: 20, clientId: asked[0]?.clientId },
        ...{ maxOutstandingMessages: 3, maxOutstandingBytes: 334 },
      });
    }
  });

  test("gives back the later messages of a key after a retry, and hands them out in order again", async () => {
    const ids = ["evt_1", "evt_2", "evt_3", "evt_4"];
    const { client, said } = eagerSubscription(ids);
    const consumer = createPubsubConsumer({ client, subscription, deadLetters: null, streams: 1 });
    const stop = new AbortController();
    const handled: string[] = [];
    const handle = ({ message: { id }, attempt }: { message: { id: string }; attempt: number | null }): void => {
      if (id === "evt_2" && attempt === 1) throw new Error("not yet");
      if (handled.push(id) === ids.length) stop.abort();
    };
    await serve(consumer, handle, { signal: stop.signal, backoff: () => 0 });
    await consumer.close();
    expect(handled).toEqual(ids);
    expect(said).toEqual([
      ...["ack evt_1", "nack evt_2 1", "nack evt_3 1", "nack evt_4 1"],
      ...["ack evt_2", "ack evt_3", "ack evt_4"],
    ]);
  });
});
