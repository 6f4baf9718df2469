import { setTimeout as sleep } from "node:timers/promises";
import type { Consumer, ReadOptions } from "@sinkwire/delivery";
import {
  addressOption,
  checkReadOptions,
  createHolds,
  createIterations,
  type Iteration,
  integerOption,
  MAX_TIMER_MS,
} from "@sinkwire/delivery/adapter";
import { attemptOf } from "./attempt.js";
import type { RabbitmqConnection, ReceivedRabbitmqMessage } from "./client.js";
import { isFinal } from "./consume-error.js";
import { type ConsumeSession, createConsumeSession } from "./consume-session.js";
import { fromRabbitmq } from "./from.js";
import { headerPairs } from "./header-pairs.js";
import { openUnless } from "./open-unless.js";

/** Messages of a channel that are not settled, by default. */
const DEFAULT_PREFETCH = 100;

/** Most that AMQP counts of them, in two bytes. */
const MAX_PREFETCH = 65_535;

/**
 * How long a message may be held for its retry by default, in milliseconds: five minutes less than the server's default
 * `consumer_timeout`, after which it closes the channel.
 */
const DEFAULT_MAX_HOLD_MS = 1_500_000;

/** Pause before a channel is opened again, in milliseconds. */
const PAUSE_MS = 250;

/** How to consume from a queue. */
export interface RabbitmqConsumerOptions extends ReadOptions {
  /** What amqplib's `connect` gave; it stays open. With `recovery: true` it outlives a lost connection. */
  readonly connection: RabbitmqConnection;
  /** The queue. It has to exist, with its bindings and its dead-letter exchange. */
  readonly queue: string;
  /**
   * Most messages that are not settled, those that are handled and those that wait for a retry among them: not less than
   * the concurrency that serves them. At most 65,535. Default 100.
   */
  readonly prefetch?: number | undefined;
  /**
   * Longest time from the receipt of a message to its retry, in milliseconds; a longer retry comes early. It has to be
   * less than the `consumer_timeout` of the server. Default 1,500,000 (25 min).
   */
  readonly maxHoldMs?: number | undefined;
}

/** What one iteration receives on one channel. */
interface Subscription extends Iteration {
  readonly session: ConsumeSession;
  /** Aborted when the iteration ends, or the channel closes. */
  readonly halted: AbortSignal;
}

/**
 * Consumes from a queue, on a channel of its own. A retry is held in its slot and then requeued; a rejected message goes
 * where the queue's dead-letter exchange sends it.
 *
 * When the channel closes, or the server cancels, the signals of what is unsettled abort, and the consumer goes on with a
 * new channel.
 *
 * @param options - connection, queue, prefetch, and how to read
 * @throws InvalidHookError for an option that cannot be used. The iteration throws when the queue does not exist or may not
 *   be consumed from, or the connection is closed for good
 */
export function createRabbitmqConsumer(options: RabbitmqConsumerOptions): Consumer {
  const { connection } = options;
  const name = addressOption(options.queue, "queue");
  checkReadOptions(options);
  const prefetch = integerOption(options.prefetch, "prefetch", DEFAULT_PREFETCH, 1, MAX_PREFETCH);
  const maxHoldMs = integerOption(options.maxHoldMs, "maxHoldMs", DEFAULT_MAX_HOLD_MS, 1, MAX_TIMER_MS);
  const holds = createHolds();
  let session: ConsumeSession | null = null;
  const iterations = createIterations();

  const receive = (
    message: ReceivedRabbitmqMessage,
    { queue, session, ended, halted, stopped }: Subscription,
  ): void => {
    const { closed, settle } = session;
    const receivedAt = performance.now();
    const origin = {
      key: null,
      attempt: attemptOf(message),
      address: name,
      pairs: headerPairs(message.properties.headers),
      signal: closed,
    };
    queue.push(fromRabbitmq(message, options), origin, {
      ack: () => settle((channel) => channel.ack(message)),
      async retry(afterMs) {
        const leftMs = receivedAt + maxHoldMs - performance.now();
        await holds.hold(Math.min(afterMs, leftMs), { signal: halted });
        if (ended.aborted) await stopped();
        if (closed.aborted) return;
        // A quorum queue of RabbitMQ 4.3 counts this as an attempt, and a nack not.
        await settle((channel) => channel.reject(message, true));
      },
      reject: () => settle((channel) => channel.reject(message, false)),
      async giveBack() {
        // Not while the queue is consumed, which would hand it out here again.
        if (ended.aborted) await stopped();
        if (closed.aborted) return;
        await settle((channel) => channel.nack(message, false, true));
      },
    });
  };

  const open = async (ended: AbortSignal): Promise<ConsumeSession> => {
    const channel = await openUnless(ended, () => connection.createChannel());
    return createConsumeSession(channel, prefetch);
  };

  const run = async (iteration: Iteration): Promise<void> => {
    const { queue, ended } = iteration;
    let lastError: unknown = null;
    while (!ended.aborted) {
      try {
        if (session === null || session.closed.aborted) session = await open(ended);
        const halted = AbortSignal.any([session.closed, ended]);
        const subscription = { ...iteration, session, halted };
        await session.receive(name, (message) => receive(message, subscription), ended);
        if (!ended.aborted) await session.close(new Error("the server ended the subscription"));
        lastError = null;
      } catch (error) {
        if (isFinal(error, lastError)) {
          queue.end(new Error(`queue ${JSON.stringify(name)}: ${String(error)}`, { cause: error }));
        }
        lastError = error;
      }
      await sleep(PAUSE_MS, undefined, { signal: ended }).catch(() => {});
    }
  };

  return {
    deliveries: (options) => iterations.start(options, run),
    async close() {
      await iterations.stop();
      await session?.close(new Error("the consumer was closed"));
    },
  };
}
