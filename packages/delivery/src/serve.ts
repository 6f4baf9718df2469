import { createKeyQueue } from "./adapter/key-queue.js";
import type { Consumer } from "./consumer.js";
import type { Delivery, DeliveryHandler } from "./delivery.js";
import { firstVerb } from "./first-verb.js";
import { type HandleOptions, handleDelivery } from "./handle-delivery.js";
import { integerOption } from "./integer-option.js";

/** Deliveries that are handled at once by default. */
const DEFAULT_CONCURRENCY = 10;

/** How long a stop waits for handlers by default, in milliseconds: less than the 30 s that Kubernetes grants a pod. */
const DEFAULT_GRACE_MS = 25_000;

/** How to serve a consumer. */
export interface ServeOptions extends HandleOptions {
  /** Most deliveries that are handled at once. Default 10. */
  readonly concurrency?: number | undefined;
  /**
   * Most deliveries that were received and wait for an earlier one of their key; beyond, nothing more is asked of the
   * consumer. Default as many as `concurrency`.
   */
  readonly maxWaiting?: number | undefined;
  /** Stops: nothing new is taken, and what was received is handled for `graceMs`. */
  readonly signal?: AbortSignal | undefined;
  /** How long a stop waits, in milliseconds; the rest is then given back and its signals abort. Default 25,000. */
  readonly graceMs?: number | undefined;
}

/** A delivery whose handler runs. */
interface Running {
  readonly giveBack: () => Promise<void>;
  readonly abort: () => void;
}

/**
 * Handles what a consumer delivers until it is stopped.
 *
 * - A handler that returns acknowledges; one that throws rejects when the error's `retryable` is false, and retries
 *   otherwise, also after an error that nobody knows. A handler may settle the delivery itself: its first verb counts.
 * - Two deliveries of one key are never in flight together. When one comes again (a retry, a verb that failed, taken back by
 *   the broker), those of its key that were received after it are given back unhandled, so the key's order is kept.
 * - An invalid read is rejected, or handed to `onInvalid`; a tombstone is acknowledged, or handed to `onTombstone`.
 *
 * @param consumer - where deliveries come from; it stays open: `close` it afterwards
 * @param handler - handles one message
 * @param options - concurrency, stop, and what happens beside messages
 * @returns resolves when the signal aborted, or the consumer ended, and nothing is in flight any more
 * @throws InvalidHookError for an option that cannot be used; what the consumer's iteration threw, or one of the callbacks
 *   `onError` and `backoff`, after a stop like that of the signal
 */
export async function serve(consumer: Consumer, handler: DeliveryHandler, options: ServeOptions = {}): Promise<void> {
  const concurrency = integerOption("concurrency", options.concurrency, DEFAULT_CONCURRENCY, 1);
  const maxWaiting = integerOption("maxWaiting", options.maxWaiting, concurrency, 1);
  const graceMs = integerOption("graceMs", options.graceMs, DEFAULT_GRACE_MS, 0);
  if (options.signal?.aborted) return;
  await new Promise<void>((resolve, reject) => {
    const reading = new AbortController();
    const deliveries = consumer.deliveries({ signal: reading.signal })[Symbol.asyncIterator]();
    const keys = createKeyQueue<Delivery>();
    const running = new Set<Running>();
    let isPulling = false;
    let isEnded = false;
    let failure: { readonly error: unknown } | null = null;
    let grace: NodeJS.Timeout | undefined;

    const advance = (): void => {
      if (isEnded) {
        if (running.size === 0) finish();
      } else if (!isPulling && running.size < concurrency && keys.waiting < maxWaiting) {
        isPulling = true;
        deliveries.next().then(received, fail);
      }
    };
    const received = ({ done, value }: IteratorResult<Delivery, unknown>): void => {
      isPulling = false;
      if (done) isEnded = true;
      else if (isEnded) void giveBack([value]);
      else if (keys.enter(value.key, value)) void run(value);
      advance();
    };
    const run = async (delivery: Delivery): Promise<void> => {
      const controller = new AbortController();
      const abort = (): void => controller.abort(delivery.signal.reason);
      if (delivery.signal.aborted) abort();
      else delivery.signal.addEventListener("abort", abort);
      const guard = firstVerb(delivery, controller.signal);
      const entry: Running = { giveBack: guard.verbs.giveBack, abort: () => controller.abort() };
      running.add(entry);
      const handling = { ...options, handler, guard, signal: controller.signal };
      const isFinished = await handleDelivery(delivery, handling).catch((error) => {
        fail(error);
        return guard.verbs.giveBack().then(() => false);
      });
      if (!isFinished) await giveBack(keys.takeWaiting(delivery.key));
      delivery.signal.removeEventListener("abort", abort);
      running.delete(entry);
      const next = keys.leave(delivery.key);
      if (next !== undefined) void run(next);
      advance();
    };
    const giveBack = async (unhandled: readonly Delivery[]): Promise<void> => {
      await Promise.all(
        unhandled.map((delivery) => delivery.giveBack().catch((error) => options.onError?.(error, delivery))),
      );
    };
    const fail = (error: unknown): void => {
      failure ??= { error };
      stop();
    };
    const stop = (): void => {
      if (reading.signal.aborted) return;
      isEnded = true;
      reading.abort();
      deliveries.return?.().catch(fail);
      grace = setTimeout(expire, graceMs);
      advance();
    };
    const expire = (): void => {
      const late = [...running];
      running.clear();
      const givenBack = [...late.map((one) => one.giveBack()), giveBack(keys.takeAllWaiting())];
      for (const one of late) one.abort();
      Promise.allSettled(givenBack).then(finish);
    };
    const finish = (): void => {
      clearTimeout(grace);
      options.signal?.removeEventListener("abort", stop);
      if (failure === null) resolve();
      else reject(failure.error);
    };

    options.signal?.addEventListener("abort", stop);
    advance();
  });
}
