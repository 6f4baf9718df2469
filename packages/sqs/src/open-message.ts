import { setTimeout as sleep } from "node:timers/promises";
import { type DeadLetter, type DeliveryOrigin, type DeliveryRead, deadLetterOf } from "@sinkwire/delivery";
import { type BrokerVerbs, keepLease, MAX_TIMER_MS } from "@sinkwire/delivery/adapter";
import { SQS_LIMITS } from "./limits.js";
import type { QueueCalls } from "./queue-calls.js";
import { attributePairs, type Received } from "./received.js";
import { errorName, isMissingQueue } from "./service-error.js";

/** Pause before a message is hidden again after an error, in milliseconds. */
const PAUSE_MS = 250;

/** What SQS says of a receipt handle that is no good any more. */
const LOST: readonly string[] = ["MessageNotInflight", "ReceiptHandleIsInvalid", "InvalidParameterValue"];

/** Where a message was received, and what its verbs do it with. */
export interface OpenPlace {
  readonly queueUrl: string;
  readonly hasKeys: boolean;
  readonly calls: QueueCalls;
  readonly visibilitySeconds: number;
  /** Sends a dead letter; null where the redrive policy moves what was received too often. */
  readonly sendDead: ((received: Received, letter: DeadLetter) => Promise<void>) | null;
  /** Called when it is settled. */
  readonly settled: () => void;
}

/** A received message, which is kept hidden until it is settled. */
export interface OpenMessage {
  readonly origin: DeliveryOrigin;
  readonly verbs: BrokerVerbs;
  /** Gives it back unless a verb was called, and waits until it is settled; whether that worked or not. */
  close(): Promise<void>;
}

/** Makes the verbs of a received message, and keeps it hidden. */
export function openMessage(received: Received, read: DeliveryRead, place: OpenPlace): OpenMessage {
  const { queueUrl, hasKeys, calls, visibilitySeconds, sendDead, settled } = place;
  const { receiptHandle, attempt, group, attributes } = received;
  const receivedAt = performance.now();
  const controller = new AbortController();
  let extending: Promise<void> = Promise.resolve();
  let settling: Promise<void> | null = null;

  const secondsLeft = (): number =>
    Math.max(0, Math.floor((SQS_LIMITS.visibilityMs - (performance.now() - receivedAt)) / 1_000));
  const extend = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      signal.throwIfAborted();
      // Towards the end of the twelve hours the lease just runs out.
      if (secondsLeft() < visibilitySeconds) return sleep(MAX_TIMER_MS, undefined, { signal, ref: false });
      try {
        return await calls.hide(receiptHandle, visibilitySeconds);
      } catch (error) {
        if (LOST.includes(errorName(error)) || isMissingQueue(error)) throw error;
        await sleep(PAUSE_MS, undefined, { signal });
      }
    }
  };
  const stopLease = keepLease(
    (signal) => {
      extending = extend(signal);
      return extending;
    },
    { leaseMs: visibilitySeconds * 1_000, lost: (error) => controller.abort(error) },
  );
  const hide = async (seconds: number): Promise<void> => {
    stopLease();
    // An extension under way would undo it.
    await extending.catch(() => {});
    await calls.hide(receiptHandle, seconds);
  };
  const settle = (work: () => Promise<void>): Promise<void> => {
    settling = work();
    return settling;
  };

  const origin: DeliveryOrigin = {
    key: hasKeys ? group : null,
    attempt,
    address: queueUrl,
    pairs: attributePairs(attributes),
    signal: controller.signal,
  };
  return {
    origin,
    verbs: {
      isRejectedAgain: sendDead === null,
      ack: () => settle(() => calls.remove(receiptHandle)),
      retry: (afterMs) => settle(() => hide(Math.min(Math.ceil(afterMs / 1_000), secondsLeft()))),
      reject: (reason, details) =>
        settle(async () => {
          if (sendDead === null) return;
          await sendDead(received, deadLetterOf({ ...read, ...origin }, reason, details));
          await calls.remove(receiptHandle);
        }),
      giveBack: () => settle(() => hide(0)),
      settled() {
        stopLease();
        settled();
      },
    },
    async close() {
      if (settling === null && !controller.signal.aborted) {
        controller.abort(new Error("the consumer was closed"));
        void settle(() => hide(0));
      }
      await settling?.catch(() => {});
      stopLease();
    },
  };
}
