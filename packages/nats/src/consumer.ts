import { setTimeout as sleep } from "node:timers/promises";
import type { Consumer, ReadOptions } from "@sinkwire/delivery";
import {
  checkReadOptions,
  createIterations,
  type Iteration,
  integerOption,
  keepLease,
  property,
  STOP_LIMIT_MS,
  textOption,
  within,
} from "@sinkwire/delivery/adapter";
import { InvalidHookError } from "@sinkwire/message";
import type { JetStreamConsumeClient, JetStreamMessage, JetStreamPullConsumer, NatsConnection } from "./client.js";
import { fromNats } from "./from.js";
import { headerPairs } from "./header-pairs.js";

/** Messages that are asked for ahead by default. */
const DEFAULT_PREFETCH = 100;

/** How long the server holds a request for messages, in milliseconds: the client's own default. */
const REQUEST_MS = 30_000;

/** Pause before the server is asked again after an error, in milliseconds. */
const PAUSE_MS = 250;

/** The server's default for the time that a message may take, in nanoseconds. */
const DEFAULT_ACK_WAIT_NS = 30_000_000_000;

const NS_PER_MS = 1_000_000;

/** Longest reason that the server is told, in UTF-16 units; it goes into an advisory. */
const MAX_REASON_LENGTH = 512;

/** The server's codes for a consumer and for a stream that do not exist. */
const NOT_FOUND: readonly unknown[] = [10_014, 10_059];

/** How to consume from JetStream. */
export interface NatsConsumerOptions extends ReadOptions {
  /** What `connect` gave; it stays open. */
  readonly connection: NatsConnection;
  /** `jetstream(connection)`. */
  readonly jetstream: JetStreamConsumeClient;
  /** The stream's name. */
  readonly stream: string;
  /** Name of the durable pull consumer, with explicit acknowledgements. It has to exist. */
  readonly consumer: string;
  /** Most messages that wait to be handled. Default 100. */
  readonly prefetch?: number | undefined;
}

/** A message that was handed out and is not settled. */
interface Open {
  readonly message: JetStreamMessage;
  /** Takes it back: its verbs do nothing from then on, and its lease is not extended. */
  readonly takeBack: (reason: unknown) => void;
}

/**
 * Consumes from a durable pull consumer of JetStream. Acknowledgements are confirmed by the server; a retry is a `nak` with
 * a delay, a rejection a `term` with the reason; `working` keeps the lease of `ack_wait`.
 *
 * @param options - client, names, prefetch, and how to read
 * @throws InvalidHookError for an option that cannot be used. The iteration throws when stream or consumer do not exist, or
 *   the connection is closed for good
 */
export function createNatsConsumer(options: NatsConsumerOptions): Consumer {
  const { connection, jetstream } = options;
  const stream = nameOption(options.stream, "stream");
  const name = nameOption(options.consumer, "consumer");
  checkReadOptions(options);
  const prefetch = integerOption(options.prefetch, "prefetch", DEFAULT_PREFETCH, 1);
  const opened = new Set<Open>();
  const iterations = createIterations();

  const receive = ({ queue, ended, stopped }: Iteration, message: JetStreamMessage, leaseMs: number): void => {
    const controller = new AbortController();
    const extend = (): Promise<void> => {
      message.working();
      return connection.flush();
    };
    const stopLease = keepLease(extend, { leaseMs, lost: (error) => controller.abort(error) });
    const takeBack = (reason: unknown): void => {
      stopLease();
      controller.abort(reason);
    };
    const open: Open = { message, takeBack };
    opened.add(open);
    const origin = {
      key: null,
      attempt: message.info.deliveryCount,
      address: message.subject,
      pairs: headerPairs(message.headers),
      signal: controller.signal,
    };
    queue.push(fromNats(message, options), origin, {
      ack: async () => {
        // The client writes a packet for each microtask: so all of one turn go in one.
        await turnEnd();
        await message.ackAck();
      },
      retry: (afterMs) => {
        message.nak(Math.ceil(afterMs));
        return connection.flush();
      },
      reject: (reason) => {
        message.term(reason.slice(0, MAX_REASON_LENGTH).toWellFormed());
        return connection.flush();
      },
      async giveBack() {
        // Not while the last request is open, which would be answered with it.
        if (ended.aborted) await stopped();
        message.nak();
        await connection.flush();
      },
      settled: () => {
        stopLease();
        opened.delete(open);
      },
    });
  };

  const pull = async (consumer: JetStreamPullConsumer, iteration: Iteration): Promise<void> => {
    const { queue, ended } = iteration;
    const { config } = await consumer.info();
    const leaseMs = (config.ack_wait ?? DEFAULT_ACK_WAIT_NS) / NS_PER_MS;
    while (!ended.aborted) {
      // Not for every place that is free: a request is a packet of its own.
      await queue.below(Math.ceil(prefetch / 2));
      if (ended.aborted) return;
      const batch = await consumer.fetch({ max_messages: prefetch - queue.size, expires: REQUEST_MS });
      const stop = async (): Promise<void> => {
        // What the server has sent by now is received first: else it would wait for its lease to run out.
        await Promise.race([connection.flush().catch(() => {}), sleep(PAUSE_MS)]);
        await batch.close();
      };
      ended.addEventListener("abort", stop);
      if (ended.aborted) void stop();
      try {
        for await (const message of batch) receive(iteration, message, leaseMs);
      } finally {
        ended.removeEventListener("abort", stop);
      }
    }
  };

  const run = async (iteration: Iteration): Promise<void> => {
    const { queue, ended } = iteration;
    while (!ended.aborted) {
      try {
        await pull(await jetstream.consumers.get(stream, name), iteration);
      } catch (error) {
        if (connection.isClosed() || NOT_FOUND.includes(property(error, "code"))) {
          queue.end(new Error(`stream "${stream}", consumer "${name}": ${String(error)}`, { cause: error }));
        }
        await sleep(PAUSE_MS, undefined, { signal: ended }).catch(() => {});
      }
    }
  };

  return {
    deliveries: (options) => iterations.start(options, run),
    async close() {
      await within(iterations.stop(), STOP_LIMIT_MS);
      for (const { message, takeBack } of opened) {
        message.nak();
        takeBack(new Error("the consumer was closed"));
      }
      opened.clear();
      if (!connection.isClosed()) await within(connection.flush(), STOP_LIMIT_MS);
    },
  };
}

function nameOption(value: unknown, field: string): string {
  const name = textOption(value, field);
  if (name === null) throw new InvalidHookError(field, "expected a name");
  return name;
}

let ending: Promise<void> | undefined;

/** The end of the present turn of the event loop, one promise for all who wait. */
function turnEnd(): Promise<void> {
  ending ??= new Promise((resolve) => {
    setImmediate(() => {
      ending = undefined;
      resolve();
    });
  });
  return ending;
}
