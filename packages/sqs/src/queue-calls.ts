import { randomUUID } from "node:crypto";
import { property } from "@sinkwire/delivery/adapter";
import { callWithin } from "./call-within.js";
import type { SqsClient, SqsConsumeCommands } from "./client.js";
import { deleteBatches } from "./delete-batches.js";
import { isFifo } from "./entry-parts.js";

/** How long the client may take for one call, with its own tries, in milliseconds; a poll takes its wait beside it. */
export const CALL_LIMIT_MS = 10_000;

/** What a consumer asks of its queue. Each call ends in time, also when nobody answers. */
export interface QueueCalls {
  /**
   * Polls once.
   *
   * @param most - how many messages at most, 1 to 10
   * @param signal - gives the poll up
   */
  receive(most: number, signal: AbortSignal): Promise<readonly unknown[]>;
  remove(receiptHandle: string): Promise<void>;
  /** @param seconds - until the message is visible again, from now */
  hide(receiptHandle: string, seconds: number): Promise<void>;
  hasRedrivePolicy(): Promise<boolean>;
}

/** How to poll. */
export interface PollOptions {
  readonly client: SqsClient;
  readonly commands: SqsConsumeCommands;
  readonly queueUrl: string;
  readonly waitSeconds: number;
  /** How long a received message stays hidden. */
  readonly visibilitySeconds: number;
}

/** Makes the calls to one queue. */
export function queueCalls({ client, commands, queueUrl, waitSeconds, visibilitySeconds }: PollOptions): QueueCalls {
  const send = (command: unknown, limitMs = CALL_LIMIT_MS, outer?: AbortSignal): Promise<unknown> =>
    callWithin(limitMs, (abortSignal) => client.send(command as never, { abortSignal }), outer);
  const at = { QueueUrl: queueUrl };
  return {
    async receive(most, signal) {
      const command = new commands.ReceiveMessageCommand({
        ...at,
        MaxNumberOfMessages: most,
        WaitTimeSeconds: waitSeconds,
        VisibilityTimeout: visibilitySeconds,
        MessageAttributeNames: ["All"],
        MessageSystemAttributeNames: ["All"],
        // A try of the client's own, after an answer that was lost, then gets the same messages.
        ...(isFifo(queueUrl) ? { ReceiveRequestAttemptId: randomUUID() } : {}),
      });
      const messages = property(await send(command, waitSeconds * 1_000 + CALL_LIMIT_MS, signal), "Messages");
      return Array.isArray(messages) ? messages : [];
    },
    remove: deleteBatches((Entries) => send(new commands.DeleteMessageBatchCommand({ ...at, Entries }))),
    async hide(receiptHandle, seconds) {
      const input = { ...at, ReceiptHandle: receiptHandle, VisibilityTimeout: seconds };
      await send(new commands.ChangeMessageVisibilityCommand(input));
    },
    async hasRedrivePolicy() {
      const answer = await send(new commands.GetQueueAttributesCommand({ ...at, AttributeNames: ["RedrivePolicy"] }));
      return Boolean(property(property(answer, "Attributes"), "RedrivePolicy"));
    },
  };
}
