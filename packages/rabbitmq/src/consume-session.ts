import { once } from "node:events";
import { STOP_LIMIT_MS, within } from "@sinkwire/delivery/adapter";
import type { RabbitmqChannel, ReceivedRabbitmqMessage } from "./client.js";

/** A channel to consume on, from its opening to its end. */
export interface ConsumeSession {
  /** Aborted when the channel closes: the server then takes back all that is unsettled. */
  readonly closed: AbortSignal;
  /**
   * Receives from a queue until the channel closes, the server cancels (the queue was deleted, or has moved), or a stop.
   *
   * @param queue - which
   * @param received - called for each message
   * @param stopped - stops it. What the server sent before it knows is received too
   * @throws the client's error when the server refuses, or the channel closes before it answers
   */
  receive(queue: string, received: (message: ReceivedRabbitmqMessage) => void, stopped: AbortSignal): Promise<void>;
  /**
   * Settles a message.
   *
   * @param write - writes the settlement
   * @returns resolves when the server has read it
   * @throws the client's error when the channel closed before
   */
  settle(write: (channel: RabbitmqChannel) => void): Promise<void>;
  /** Closes the channel, after what was settled. Waits for the server, but not long. */
  close(reason: Error): Promise<void>;
}

/**
 * Watches a channel.
 *
 * @param channel - a new one
 * @param prefetch - most messages on it that are not settled
 * @returns when the server knows the prefetch
 */
export async function createConsumeSession(channel: RabbitmqChannel, prefetch: number): Promise<ConsumeSession> {
  const controller = new AbortController();
  const closed = controller.signal;
  let closedBy: unknown = new Error("the channel was closed");
  channel.on("error", (error) => {
    closedBy = error;
  });
  channel.on("close", () => controller.abort(closedBy));

  /** Any request will do to learn what the server has read: it answers a channel's requests in order. */
  const request = (): Promise<unknown> => channel.prefetch(prefetch);
  let answered: Promise<unknown> = request();
  let next: Promise<unknown> | null = null;
  const flush = (): Promise<unknown> => {
    // Whoever settles while a request is under way shares the next one.
    next ??= answered
      .catch(() => {})
      .then(() => {
        next = null;
        answered = request();
        return answered;
      });
    return next;
  };

  await answered;
  return {
    closed,
    async receive(queue, received, stopped) {
      const cancelled = new AbortController();
      const ended = AbortSignal.any([closed, stopped, cancelled.signal]);
      const { consumerTag } = await channel.consume(
        queue,
        (message) => {
          if (message === null) cancelled.abort();
          else received(message);
        },
        { noAck: false },
      );
      if (!ended.aborted) await once(ended, "abort");
      if (!cancelled.signal.aborted && !closed.aborted) await within(channel.cancel(consumerTag), STOP_LIMIT_MS);
    },
    async settle(write) {
      write(channel);
      await flush();
    },
    async close(reason) {
      if (closed.aborted) return;
      controller.abort(reason);
      await within(
        flush().then(() => channel.close()),
        STOP_LIMIT_MS,
      );
    },
  };
}
