import { setTimeout as sleep } from "node:timers/promises";
import type { Publisher } from "@sinkwire/delivery";
import {
  addressOption,
  type PublisherLimits,
  pairsLength,
  publishable,
  publisherLimits,
  publishWithin,
  textOption,
  type WriteMessage,
} from "@sinkwire/delivery/adapter";
import type { SqsClient, SqsPublishCommands } from "./client.js";
import { attributeRecord, isFifo, messageAttributes, messageIds, reservedOption, STRING } from "./entry-parts.js";
import { createGroupTurns } from "./group-turns.js";
import { SQS_LIMITS } from "./limits.js";
import { sendEntry } from "./send-entry.js";

/**
 * How long a request that was given up keeps its place, in milliseconds: what has waited for as long is not written just to
 * be given up as well.
 */
const GIVEN_UP_MS = 250;

/** How to publish to a queue. */
export interface SqsPublisherOptions extends PublisherLimits {
  /** An `SQSClient` or `SQS` of `@aws-sdk/client-sqs`; it stays open. */
  readonly client: SqsClient;
  /** The client's own classes: `import * as commands from "@aws-sdk/client-sqs"`. */
  readonly commands: SqsPublishCommands;
  /** The queue's URL: as in `toSqs`. No queue is created. */
  readonly queueUrl: string;
  /** Group of a message without an ordering key: as in `toSqs`. */
  readonly messageGroupId?: string | null | undefined;
  /** How many of the ten attributes to leave to others, 0 to 5. Default 0. */
  readonly reservedAttributes?: number | undefined;
}

/**
 * Publishes to a queue. A message is published when the queue has answered with an id and the digest of its body. To a FIFO
 * queue the messages of a group go one after another, in the order of the calls; when one fails that may be published again,
 * those that wait behind it fail too, as `not_published`.
 *
 * @param options - client, queue, group, limits
 * @throws InvalidHookError for an option that cannot be used, before anything is sent
 */
export function createSqsPublisher(options: SqsPublisherOptions): Publisher {
  const queueUrl = addressOption(options.queueUrl, "queueUrl");
  const group = textOption(options.messageGroupId, "messageGroupId");
  const reserved = reservedOption(options.reservedAttributes, "reservedAttributes");
  const { timeoutMs, inFlight, checkSize } = publisherLimits(options, SQS_LIMITS.maxBytes);
  const takeTurn = createGroupTurns(inFlight);
  const hasOrder = isFifo(queueUrl);
  const open = new Set<Promise<unknown>>();

  return {
    async publish(given, { signal } = {}) {
      const { message, body } = publishable(given);
      const attributes = messageAttributes(message, message, reserved);
      const ids = messageIds(message, message, queueUrl, group);
      const bytes = body.length + pairsLength(attributes, STRING.length);
      checkSize(bytes);
      const turn = takeTurn(hasOrder ? (ids.MessageGroupId ?? null) : null);
      const write: WriteMessage = async (written, { signal: givenUp }) => {
        const entry = {
          QueueUrl: queueUrl,
          MessageBody: body.toString("utf8"),
          MessageAttributes: attributeRecord(attributes),
          ...ids,
        };
        try {
          const id = await sendEntry(options, entry, { written, signal: givenUp });
          return { address: queueUrl, id, duplicate: false };
        } catch (error) {
          turn.fail(error);
          if (givenUp.aborted) await sleep(GIVEN_UP_MS);
          throw error;
        }
      };
      const publishing = publishWithin(write, { inFlight: turn, bytes, timeoutMs, signal });
      open.add(publishing);
      try {
        return await publishing;
      } catch (error) {
        turn.fail(error);
        throw error;
      } finally {
        open.delete(publishing);
      }
    },
    async close() {
      await Promise.allSettled(open);
      await inFlight.idle();
    },
  };
}
