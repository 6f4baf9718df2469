import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Consumer, ReadOptions } from "@sinkwire/delivery";
import {
  checkReadOptions,
  createHolds,
  createIterations,
  type Iteration,
  integerOption,
  keepLease,
  pairsLength,
} from "@sinkwire/delivery/adapter";
import { createAckQueue } from "./ack-queue.js";
import { createChanges } from "./changes.js";
import { CALL_TIMEOUT_MS, type PubsubDelivered, type PubsubSubscriberClient } from "./client.js";
import { deadLetterPublisher, type PubsubDeadLetters } from "./dead-letters.js";
import { fromPubsub } from "./from.js";
import { nameOption } from "./names.js";
import { readPullStream } from "./pull-stream.js";
import { isTransient } from "./status.js";

/** Messages that may be unsettled by default. */
const DEFAULT_PREFETCH = 100;

/** Bytes that may be unsettled by default: 64 MiB, which gives each of five streams room for a largest message. */
const DEFAULT_PREFETCH_BYTES = 67_108_864;

/** Streams by default: the client's own number. */
const DEFAULT_STREAMS = 5;

/** How long the service waits for an acknowledgement by default, in milliseconds. */
const DEFAULT_ACK_DEADLINE_MS = 60_000;

/** Least and most of that, by the service's documentation. */
const ACK_DEADLINES_MS = [10_000, 600_000] as const;

/** Pause before a stream is opened again after an error, in milliseconds. */
const PAUSE_MS = 250;

/** How long a close waits for the service to take back what is unsettled, in milliseconds. */
const CLOSE_MS = 2_000;

/** How to consume from a subscription. */
export interface PubsubConsumerOptions extends ReadOptions {
  /** A `v1.SubscriberClient`; it stays open. */
  readonly client: PubsubSubscriberClient;
  /** The subscription's full name, `projects/<project>/subscriptions/<id>`. It has to exist. */
  readonly subscription: string;
  /** Where rejected messages go. Null: they are dropped. */
  readonly deadLetters: PubsubDeadLetters | null;
  /** Most messages that are not settled, those in hand included. At least the concurrency of `serve`. Default 100. */
  readonly prefetch?: number | undefined;
  /** Most bytes of them, a single message apart. Default 64 MiB. */
  readonly prefetchBytes?: number | undefined;
  /** How long the service leaves a message with us after each extension, from 10,000 to 600,000 ms. Default 60,000. */
  readonly ackDeadlineMs?: number | undefined;
  /** Streams that are open at once, at most one per message of `prefetch`. Default 5. */
  readonly streams?: number | undefined;
}

/** A message that was handed out and is not settled. */
interface Open {
  readonly bytes: number;
  /** Takes it back: its verbs do nothing from then on, and the service is told that it may come again. */
  readonly takeBack: (reason: unknown) => void;
}

/**
 * Consumes from a subscription, over streams. Verbs resolve when the service has confirmed them; a retry is held in its slot
 * and given back when its delay is over; the ack deadline is extended until then.
 *
 * @param options - client, subscription, dead letters, bounds, and how to read
 * @throws InvalidHookError for an option that cannot be used. The iteration throws when the subscription does not exist or
 *   may not be read, or the client is closed
 */
export function createPubsubConsumer(options: PubsubConsumerOptions): Consumer {
  const { client } = options;
  const subscription = nameOption(options.subscription, "subscription");
  const publishDeadLetter = options.deadLetters === null ? null : deadLetterPublisher(options.deadLetters);
  checkReadOptions(options);
  const prefetch = integerOption(options.prefetch, "prefetch", DEFAULT_PREFETCH, 1);
  const prefetchBytes = integerOption(options.prefetchBytes, "prefetchBytes", DEFAULT_PREFETCH_BYTES, 1);
  const streams = Math.min(integerOption(options.streams, "streams", DEFAULT_STREAMS, 1), prefetch);
  const deadlineMs = integerOption(
    options.ackDeadlineMs,
    "ackDeadlineMs",
    DEFAULT_ACK_DEADLINE_MS,
    ...ACK_DEADLINES_MS,
  );
  const deadlineSeconds = Math.floor(deadlineMs / 1_000);
  const leaseMs = deadlineSeconds * 1_000;
  const request = {
    subscription,
    streamAckDeadlineSeconds: deadlineSeconds,
    maxOutstandingMessages: Math.ceil(prefetch / streams),
    maxOutstandingBytes: Math.ceil(prefetchBytes / streams),
    clientId: randomUUID(),
  };

  const call = () => ({ timeout: CALL_TIMEOUT_MS, retry: null });
  const acks = createAckQueue((ackIds) => client.acknowledge({ subscription, ackIds }, call()));
  const deadlines = (ackDeadlineSeconds: number) =>
    createAckQueue((ackIds) => client.modifyAckDeadline({ subscription, ackIds, ackDeadlineSeconds }, call()));
  const extensions = deadlines(deadlineSeconds);
  const nacks = deadlines(0);
  const holds = createHolds();
  const changes = createChanges();
  const opened = new Set<Open>();
  let openedBytes = 0;
  let nacking = 0;
  let isClosed = false;
  const iterations = createIterations();

  const nack = async (ackId: string): Promise<void> => {
    const end = performance.now() + leaseMs;
    nacking++;
    try {
      await nacks.add(ackId, () => isClosed || performance.now() > end);
    } finally {
      // Once the verb has resolved.
      setImmediate(() => {
        nacking--;
        changes.note();
      });
    }
  };

  const receive = (
    { queue, ended, stopped }: Iteration,
    { ackId, deliveryAttempt, message }: PubsubDelivered,
  ): void => {
    if (!ackId || !message) return;
    const read = fromPubsub(message, options);
    const controller = new AbortController();
    const { signal } = controller;
    const stopLease = keepLease((over) => extensions.add(ackId, () => over.aborted), {
      leaseMs,
      lost: (error) => controller.abort(error),
    });
    const pairs = Object.entries(message.attributes ?? {});
    const open: Open = {
      bytes: (message.data?.length ?? 0) + pairsLength(pairs),
      takeBack(reason) {
        stopLease();
        controller.abort(reason);
        nack(ackId).catch(() => {});
      },
    };
    opened.add(open);
    openedBytes += open.bytes;
    const origin = {
      key: message.orderingKey || null,
      attempt: deliveryAttempt || null,
      address: subscription,
      ...{ pairs, signal },
    };
    const giveBack = async (): Promise<void> => {
      stopLease();
      // After a stop, not while a stream is open, which would be given it again.
      if (ended.aborted) await stopped();
      await nack(ackId);
    };
    const ack = (): Promise<void> => acks.add(ackId, () => signal.aborted);
    queue.push(read, origin, {
      ack,
      async retry(afterMs) {
        await holds.hold(afterMs, { signal: AbortSignal.any([signal, ended]) });
        if (!signal.aborted) await giveBack();
      },
      async reject(reason, details) {
        await publishDeadLetter?.({ ...read, ...origin }, reason, details);
        await ack();
      },
      giveBack,
      settled() {
        stopLease();
        if (opened.delete(open)) openedBytes -= open.bytes;
        changes.note();
      },
    });
  };

  const hasRoom = (): boolean => opened.size < prefetch && openedBytes < prefetchBytes;
  const run = async (iteration: Iteration): Promise<void> => {
    const { queue, ended: signal } = iteration;
    while (!signal.aborted) {
      try {
        await client.initialize();
        await readPullStream(client, request, {
          signal,
          async receive(delivered) {
            // What comes again is pushed after the verb that gave it back has resolved.
            await changes.until(() => nacking === 0, signal);
            for (const one of delivered) receive(iteration, one);
            await changes.until(hasRoom, signal);
          },
        });
      } catch (error) {
        if (signal.aborted) return;
        if (!isTransient(error)) {
          queue.end(new Error(`subscription "${subscription}": ${String(error)}`, { cause: error }));
        }
        await sleep(PAUSE_MS, undefined, { signal }).catch(() => {});
      }
    }
  };

  return {
    deliveries(options) {
      isClosed = false;
      return iterations.start(options, async (iteration) => {
        await Promise.all(Array.from({ length: streams }, () => run(iteration)));
      });
    },
    async close() {
      await iterations.stop();
      for (const { takeBack } of opened) takeBack(new Error("the consumer was closed"));
      opened.clear();
      openedBytes = 0;
      const enough = new AbortController();
      const timer = setTimeout(() => enough.abort(), CLOSE_MS);
      await changes.until(() => nacking === 0, enough.signal);
      clearTimeout(timer);
      isClosed = true;
    },
  };
}
