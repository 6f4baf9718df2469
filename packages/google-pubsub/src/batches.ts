import { PublishError } from "@sinkwire/delivery";
import type { PubsubOutgoingMessage } from "./client.js";
import { STATUS, statusOf } from "./status.js";

/** Most messages of one request: the client's own default for a batch. */
const MAX_BATCH_MESSAGES = 100;

/** Most bytes of one request, a single message apart: the client's own default for a batch, 1 MiB. */
const MAX_BATCH_BYTES = 1_048_576;

/** A message on its way. */
export interface Outgoing {
  readonly message: PubsubOutgoingMessage;
  /** `""` without one. */
  readonly key: string;
  readonly bytes: number;
  /** Called just before it leaves; throws when it must not leave any more. */
  readonly start: () => void;
  /** Called when it failed, before anything that comes after it may leave. */
  readonly failed: (error: unknown) => void;
}

/** How requests are made. */
export interface Requests {
  /** Makes the client ready, before anything is started. */
  ready(): Promise<unknown>;
  /** @returns an id for each message, in order */
  publish(messages: PubsubOutgoingMessage[]): Promise<readonly string[]>;
}

interface Item extends Outgoing {
  readonly resolve: (id: string) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Sends messages in batches of what one turn of the event loop brings. A batch is of one ordering key, and a key has one
 * request open at a time, so that its messages arrive in order; those without a key wait for nothing.
 *
 * The service takes or refuses a request as a whole. One that it says is invalid is sent again message by message, so that
 * each gets an outcome of its own.
 *
 * @returns sends a message; resolves with the service's id of it
 */
export function createBatches(requests: Requests): (outgoing: Outgoing) => Promise<string> {
  const waiting = new Map<string, Item[]>();
  const busy = new Set<string>();
  let isDue = false;

  const sendSoon = (): void => {
    if (isDue) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      sendWaiting();
    });
  };
  const sendWaiting = (): void => {
    for (const [key, items] of waiting) {
      while (items.length > 0 && !busy.has(key)) void sendBatch(key, takeBatch(items));
      if (items.length === 0) waiting.delete(key);
    }
  };
  const sendBatch = async (key: string, batch: readonly Item[]): Promise<void> => {
    if (key !== "") busy.add(key);
    await request(batch);
    busy.delete(key);
    sendSoon();
  };
  const request = async (batch: readonly Item[]): Promise<void> => {
    let started = batch;
    try {
      await requests.ready();
      started = batch.filter(isStarted);
      if (started.length === 0) return;
      const ids = await requests.publish(started.map(({ message }) => message));
      if (ids.length !== started.length || ids.some((id) => id === "")) {
        throw new PublishError("publish_failed", "the answer does not name an id for each message", {
          outcome: "unknown",
        });
      }
      for (const [i, item] of started.entries()) item.resolve(ids[i] as string);
    } catch (error) {
      if (started.length > 1 && statusOf(error) === STATUS.invalidArgument) {
        for (const item of started) await request([item]);
      } else {
        for (const item of started) fail(item, error);
      }
    }
  };

  return (outgoing) =>
    new Promise((resolve, reject) => {
      const item = { ...outgoing, resolve, reject };
      const items = waiting.get(outgoing.key);
      if (items === undefined) waiting.set(outgoing.key, [item]);
      else items.push(item);
      sendSoon();
    });
}

function isStarted(item: Item): boolean {
  try {
    item.start();
    return true;
  } catch (error) {
    fail(item, error);
    return false;
  }
}

function fail(item: Item, error: unknown): void {
  item.failed(error);
  item.reject(error);
}

/** Takes the first out, and as many behind it as fit into one request. */
function takeBatch(items: Item[]): Item[] {
  let bytes = 0;
  const end = items.findIndex((item, i) => {
    bytes += item.bytes;
    return i > 0 && (i >= MAX_BATCH_MESSAGES || bytes > MAX_BATCH_BYTES);
  });
  return items.splice(0, end === -1 ? items.length : end);
}
