import { setTimeout as sleep } from "node:timers/promises";
import { property } from "@sinkwire/delivery/adapter";
import { isTransient } from "./status.js";

/** Most ids of one request; the service takes 512 KiB, and an id is some 200 bytes. */
const MAX_IDS = 1_000;

/** Pause before an id is sent again, in milliseconds. */
const PAUSE_MS = 250;

/** How an exactly-once subscription begins what it says of an id that may be sent again. */
const TRANSIENT_ID = "TRANSIENT_";

/** Ids of deliveries that are on their way to the service, for one verb. */
export interface AckQueue {
  /**
   * Sends an id, and again after a failure that may pass.
   *
   * @param ackId - of the delivery
   * @param isOver - whether it is of no use any more to send it again
   * @returns resolves when the service has confirmed it
   * @throws the client's error
   */
  add(ackId: string, isOver: () => boolean): Promise<void>;
}

interface Entry {
  readonly ackId: string;
  readonly isOver: () => boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Sends ids in batches: one request at a time, with what came in the meantime.
 *
 * @param send - makes a request
 */
export function createAckQueue(send: (ackIds: string[]) => Promise<unknown>): AckQueue {
  const waiting: Entry[] = [];
  let isSending = false;

  const sendWaiting = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_IDS);
      try {
        await send(batch.map(({ ackId }) => ackId));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const entry of batch) void settleFailed(entry, error);
      }
    }
    isSending = false;
  };
  const put = (entry: Entry): void => {
    waiting.push(entry);
    if (isSending) return;
    isSending = true;
    setImmediate(() => void sendWaiting());
  };
  const settleFailed = async (entry: Entry, error: unknown): Promise<void> => {
    if (!mayPass(error, entry.ackId)) return entry.reject(error);
    await sleep(PAUSE_MS);
    if (entry.isOver()) entry.reject(error);
    else put(entry);
  };

  return {
    add: (ackId, isOver) =>
      new Promise((resolve, reject) => {
        put({ ackId, isOver, resolve, reject });
      }),
  };
}

/** An exactly-once subscription says of each id what is wrong with it; else the request's status says it of all. */
function mayPass(error: unknown, ackId: string): boolean {
  const said = property(property(error, "errorInfoMetadata"), ackId);
  return typeof said === "string" ? said.startsWith(TRANSIENT_ID) : isTransient(error);
}
