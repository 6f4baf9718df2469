import { setTimeout as sleep } from "node:timers/promises";
import type { Consumer } from "@sinkwire/delivery";
import {
  addressOption,
  createIterations,
  type DeliveryQueue,
  type Iteration,
  integerOption,
  STOP_LIMIT_MS,
  textOption,
  within,
} from "@sinkwire/delivery/adapter";
import { callWithin } from "./call-within.js";
import type { SqsClient, SqsConsumeCommands } from "./client.js";
import { deadLetterEntry } from "./dead-letter-entry.js";
import { isFifo } from "./entry-parts.js";
import { type FromSqsOptions, fromSqs, type ReceivedSqsMessage } from "./from.js";
import { SQS_LIMITS } from "./limits.js";
import { type OpenMessage, type OpenPlace, openMessage } from "./open-message.js";
import { CALL_LIMIT_MS, queueCalls } from "./queue-calls.js";
import { receivedOf } from "./received.js";
import { sendEntry } from "./send-entry.js";
import { errorName, isMissingQueue } from "./service-error.js";

/** Messages that wait to be handled by default: what is handed out by one poll, and by the next. */
const DEFAULT_PREFETCH = 20;

/** How long a received message is hidden from others by default, in milliseconds: the default of queues. */
const DEFAULT_VISIBILITY_MS = 30_000;

/** Pause before the queue is asked again after an error, in milliseconds. */
const PAUSE_MS = 1_000;

/** What SQS says when asking again cannot help. */
const FATAL: readonly string[] = ["InvalidAddress", "AccessDenied", "InvalidClientTokenId", "UnrecognizedClient"];

/** How to consume from a queue. */
export interface SqsConsumerOptions extends FromSqsOptions {
  /** An `SQSClient` or `SQS` of `@aws-sdk/client-sqs`; it stays open. */
  readonly client: SqsClient;
  /** The client's own classes: `import * as commands from "@aws-sdk/client-sqs"`. */
  readonly commands: SqsConsumeCommands;
  /** The queue's URL. One that ends in `.fifo` keeps the order of groups. */
  readonly queueUrl: string;
  /**
   * Where rejected messages are sent, before they are deleted. Null: they are left to the queue's redrive policy, which it
   * has to have.
   */
  readonly deadLetterQueueUrl: string | null;
  /** Most messages that wait to be handled. Each is kept hidden while it waits. Default 20. */
  readonly prefetch?: number | undefined;
  /**
   * How long a received message stays hidden without a sign of this consumer, in milliseconds, rounded up to seconds: at
   * most twelve hours. Default 30,000.
   */
  readonly visibilityTimeoutMs?: number | undefined;
  /** How long a poll waits for messages, in milliseconds, rounded up to seconds: 0 to 20,000. Default 20,000. */
  readonly waitMs?: number | undefined;
}

/**
 * Consumes from a queue by long polls. An acknowledgement deletes the message, a retry hides it for the delay, and while a
 * handler runs it is kept hidden.
 *
 * @param options - client, queue, dead letters, times, and how to read
 * @throws InvalidHookError for an option that cannot be used. The iteration throws when the queue does not exist, may not be
 *   read, or has no redrive policy where one is relied on
 */
export function createSqsConsumer(options: SqsConsumerOptions): Consumer {
  const queueUrl = addressOption(options.queueUrl, "queueUrl");
  const deadLetterQueueUrl = textOption(options.deadLetterQueueUrl, "deadLetterQueueUrl");
  const prefetch = integerOption(options.prefetch, "prefetch", DEFAULT_PREFETCH, 1);
  const { waitMs: maxWaitMs, visibilityMs, batchMessages } = SQS_LIMITS;
  const waitMs = integerOption(options.waitMs, "waitMs", maxWaitMs, 0, maxWaitMs);
  const visibilitySeconds = Math.ceil(
    integerOption(options.visibilityTimeoutMs, "visibilityTimeoutMs", DEFAULT_VISIBILITY_MS, 1, visibilityMs) / 1_000,
  );
  const batch = Math.min(prefetch, batchMessages);
  // Refuses now what cannot be used to read, not at the first message.
  fromSqs({ Body: "" }, options);
  const { client, commands } = options;
  const calls = queueCalls({ client, commands, queueUrl, waitSeconds: Math.ceil(waitMs / 1_000), visibilitySeconds });
  const opened = new Set<OpenMessage>();
  const iterations = createIterations();

  const sendDead: OpenPlace["sendDead"] =
    deadLetterQueueUrl === null
      ? null
      : async (received, letter) => {
          const entry = deadLetterEntry(received, letter, { queueUrl: deadLetterQueueUrl, from: queueUrl });
          await callWithin(CALL_LIMIT_MS, (signal) => sendEntry(options, entry, { signal }));
        };

  const receive = (queue: DeliveryQueue, message: unknown): void => {
    const received = receivedOf(message);
    if (received === null) return;
    const read = fromSqs(message as ReceivedSqsMessage, options);
    const settled = (): void => {
      opened.delete(open);
    };
    const place = { queueUrl, hasKeys: isFifo(queueUrl), calls, visibilitySeconds, sendDead, settled };
    const open = openMessage(received, read, place);
    opened.add(open);
    queue.push(read, open.origin, open.verbs);
  };

  const poll = async (queue: DeliveryQueue, ended: AbortSignal): Promise<void> => {
    while (!ended.aborted) {
      await queue.below(prefetch - batch + 1);
      if (ended.aborted) return;
      for (const message of await calls.receive(batch, ended)) receive(queue, message);
    }
  };

  const run = async ({ queue, ended }: Iteration): Promise<void> => {
    let isChecked = sendDead !== null;
    const fail = (what: string, cause?: unknown): void =>
      queue.end(new Error(`queue ${JSON.stringify(queueUrl)}: ${what}`, { cause }));
    while (!ended.aborted) {
      try {
        isChecked ||= await calls.hasRedrivePolicy();
        if (isChecked) await poll(queue, ended);
        else fail("it has no redrive policy, and there is no queue for dead letters");
      } catch (error) {
        if (ended.aborted) return;
        if (isMissingQueue(error)) fail("it does not exist", error);
        else if (FATAL.includes(errorName(error))) fail(`refused with ${errorName(error)}`, error);
        await sleep(PAUSE_MS, undefined, { signal: ended }).catch(() => {});
      }
    }
  };

  return {
    deliveries: (options) => iterations.start(options, run),
    async close() {
      await iterations.stop();
      // What nobody answers for comes again when its visibility ends.
      await within(Promise.all(Array.from(opened, (open) => open.close())), STOP_LIMIT_MS);
      opened.clear();
    },
  };
}
