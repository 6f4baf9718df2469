import { createHash } from "node:crypto";
import { PublishError } from "@sinkwire/delivery";
import { property } from "@sinkwire/delivery/adapter";
import type { SqsClient, SqsPublishCommands, SqsSendInput } from "./client.js";
import { publishErrorOf } from "./publish-error.js";
import { hadNoEffect } from "./service-error.js";

/** What to send with. */
export interface Sender {
  readonly client: SqsClient;
  readonly commands: SqsPublishCommands;
}

/** How to send an entry. */
export interface SendOptions {
  /** Called before each try of the client's, which signs and resolves before it. */
  readonly written?: (() => void) | undefined;
  readonly signal: AbortSignal;
}

type Handler = (args: unknown) => Promise<unknown>;

/**
 * Sends one entry. The client tries again on its own, so that what is known is put together from all of its tries.
 *
 * @returns the queue's id of the message
 * @throws PublishError
 */
export async function sendEntry(
  { client, commands }: Sender,
  entry: SqsSendInput,
  options: SendOptions,
): Promise<string> {
  const { written, signal } = options;
  const digest = createHash("md5").update(entry.MessageBody).digest("hex");
  let isUncertain = false;
  const noteTry =
    (next: Handler): Handler =>
    async (args) => {
      written?.();
      const before = isUncertain;
      isUncertain = true;
      try {
        return await next(args);
      } catch (error) {
        if (hadNoEffect(error)) isUncertain = before;
        throw error;
      }
    };
  let answer: unknown;
  try {
    const command = new commands.SendMessageCommand(entry);
    command.middlewareStack.add(noteTry as never, { step: "deserialize", priority: "high" });
    answer = await client.send(command as never, { abortSignal: signal });
  } catch (error) {
    throw publishErrorOf(error, entry.QueueUrl, isUncertain ? "unknown" : "not_published");
  }
  const id = property(answer, "MessageId");
  if (typeof id === "string" && id !== "" && property(answer, "MD5OfMessageBody") === digest) return id;
  const what = `queue ${JSON.stringify(entry.QueueUrl)}: the answer confirms no message of this digest`;
  throw new PublishError("publish_failed", what, { outcome: "unknown" });
}
