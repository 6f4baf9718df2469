import { property } from "@sinkwire/delivery/adapter";
import { SQS_LIMITS } from "./limits.js";

/** One entry of a request to delete. */
export interface DeleteEntry {
  Id: string;
  ReceiptHandle: string;
}

interface Waiting {
  readonly receiptHandle: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Deletes what is settled in one turn of the event loop by as few requests as can be, since each is paid for.
 *
 * @param send - one request of at most ten entries; resolves with the answer
 * @returns deletes one message; resolves when the queue has said so
 */
export function deleteBatches(
  send: (entries: DeleteEntry[]) => Promise<unknown>,
): (receiptHandle: string) => Promise<void> {
  let waiting: Waiting[] = [];
  const sendBatch = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const answer = await send(batch.map(({ receiptHandle }, i) => ({ Id: String(i), ReceiptHandle: receiptHandle })));
      const done = new Set(listOf(property(answer, "Successful")).map((one) => property(one, "Id")));
      const failed = listOf(property(answer, "Failed"));
      for (const [i, { resolve, reject }] of batch.entries()) {
        if (done.has(String(i))) resolve();
        else reject(notDeleted(failed.find((one) => property(one, "Id") === String(i))));
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  const flush = (): void => {
    const all = waiting;
    waiting = [];
    for (let i = 0; i < all.length; i += SQS_LIMITS.batchMessages) {
      void sendBatch(all.slice(i, i + SQS_LIMITS.batchMessages));
    }
  };
  return (receiptHandle) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ receiptHandle, resolve, reject }) === 1) setImmediate(flush);
    });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function notDeleted(failure: unknown): Error {
  const code = property(failure, "Code");
  return new Error(`the message was not deleted: ${typeof code === "string" ? code : "the answer does not name it"}`);
}
