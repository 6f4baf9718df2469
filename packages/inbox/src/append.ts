import { InvalidHookError } from "@sinkwire/message";
import { quoteSchema, retryConflicts, type SqlClient } from "@sinkwire/postgres";
import { InboxError } from "./errors.js";
import type { Policy } from "./policy.js";

/** A message to append. */
export interface NewMessage {
  /** Messages of one key are what a policy is about. Default: none, which is always parallel. */
  readonly key?: string | null;
  /** Default: the group decides. */
  readonly policy?: Policy | null;
  /** Only the last message of the key has to run. Default false. */
  readonly compacted?: boolean;
  readonly payload: Uint8Array;
}

/** A stream as the database knows it. */
export interface Stream {
  readonly id: number;
  /** Its messages may declare compaction. */
  readonly compacts: boolean;
}

/**
 * Appends messages, in one transaction or in the caller's.
 *
 * @param client - a pool, or the connection of a transaction of the caller's
 * @param stream - where
 * @param messages - in the order of their ids
 * @param options - `schema`
 * @returns their ids
 * @throws InboxError (`invalid_key`) before anything is written; the database's own error
 */
export async function appendMessages(
  client: SqlClient,
  stream: Stream,
  messages: readonly NewMessage[],
  options: { readonly schema: string },
): Promise<bigint[]> {
  if (messages.length === 0) return [];
  for (const message of messages) checkMessage(message, stream);
  const text = `SELECT id FROM ${quoteSchema(options.schema)}.append($1, $2, $3, $4, $5)`;
  const values = [
    stream.id,
    messages.map(({ key = null }) => key),
    messages.map(({ policy = null }) => policy),
    messages.map(({ compacted = false }) => compacted),
    messages.map(({ payload }) => Buffer.from(payload)),
  ];
  // In a caller's transaction a conflict has undone the caller's part too, so that trying again fails at once.
  const { rows } = await retryConflicts(() => client.query(text, values));
  return rows.map(({ id }) => BigInt(id as string));
}

/**
 * Checks what a message asks for.
 *
 * @throws InboxError (`invalid_key`); InvalidHookError for a payload that is no bytes or an unknown policy
 */
export function checkMessage(
  { key = null, policy = null, compacted = false, payload }: NewMessage,
  stream: Stream,
): void {
  const fail = (reason: string): never => {
    throw new InboxError("invalid_key", reason);
  };
  if (!(payload instanceof Uint8Array)) throw new InvalidHookError("payload", "expected bytes");
  if (policy !== null && policy !== "parallel" && policy !== "exclusive" && policy !== "ordered") {
    throw new InvalidHookError("policy", "expected parallel, exclusive or ordered");
  }
  if (key !== null && (typeof key !== "string" || !key.isWellFormed())) fail("a key is well-formed text");
  if (key?.includes("\0")) fail("PostgreSQL has no U+0000 in a text");
  if (key === null && policy !== null && policy !== "parallel") fail(`${policy} needs a key`);
  if (compacted && key === null) fail("compaction needs a key");
  if (compacted && policy === "ordered") fail("an ordered message keeps its history: it cannot be compacted");
  if (compacted && !stream.compacts) fail("the stream does not declare compaction");
}
