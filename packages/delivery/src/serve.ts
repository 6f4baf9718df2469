import { integerOption, MAX_TIMER_MS } from "./adapter/options.js";
import { STOP_LIMIT_MS, within } from "./adapter/within.js";
import type { Consumer } from "./consumer.js";
import type { Delivery, DeliveryHandler } from "./delivery.js";
import { type HandleOptions, type Handling, handleDelivery } from "./handle-delivery.js";

/** Deliveries that are handled at once by default. */
const DEFAULT_CONCURRENCY = 10;

/** How long a stop waits for handlers by default, in milliseconds: less than the 30 s that Kubernetes grants a pod. */
const DEFAULT_GRACE_MS = 25_000;

/** How to serve a consumer. */
export interface ServeOptions extends HandleOptions {
  /** Most deliveries that are handled at once. Default 10. */
  readonly concurrency?: number | undefined;
  /** Stops: nothing new is taken, and what was received is handled for `graceMs`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * How long a stop waits, in milliseconds; the rest is then given back and its signals abort, which takes at most five
   * seconds more of a broker that does not answer. Default 25,000.
   */
  readonly graceMs?: number | undefined;
}

/**
 * Handles what a consumer delivers until it is stopped.
 *
 * - A handler that returns acknowledges; one that throws rejects when the error's `retryable` is false, and retries
 *   otherwise, also after an error that nobody knows. A handler may settle the delivery itself: its first verb counts.
 * - An invalid read is rejected, or handed to `onInvalid`; a tombstone is acknowledged, or handed to `onTombstone`.
 * - Nothing is asked of the consumer while `concurrency` deliveries are in flight. One that waits for its retry, where the
 *   broker has no delay, is in flight. The consumer keeps the order of keys.
 *
 * @param consumer - where deliveries come from; it stays open: `close` it afterwards
 * @param handler - handles one message
 * @param options - concurrency, stop, and what happens beside messages
 * @returns resolves when the signal aborted, or the consumer ended, and nothing is in flight any more
 * @throws InvalidHookError for an option that cannot be used; what the consumer's iteration or `onError` threw, after a stop
 *   like that of the signal
 */
export async function serve(consumer: Consumer, handler: DeliveryHandler, options: ServeOptions = {}): Promise<void> {
  const concurrency = integerOption(options.concurrency, "concurrency", DEFAULT_CONCURRENCY, 1);
  const graceMs = integerOption(options.graceMs, "graceMs", DEFAULT_GRACE_MS, 0, MAX_TIMER_MS);
  if (options.signal?.aborted) return;
  await new Promise<void>((resolve, reject) => {
    const reading = new AbortController();
    const deliveries = consumer.deliveries({ signal: reading.signal })[Symbol.asyncIterator]();
    const inFlight = new Set<Delivery>();
    let isPulling = false;
    let isEnded = false;
    let failure: { readonly error: unknown } | null = null;
    let grace: NodeJS.Timeout | undefined;

    const advance = (): void => {
      if (isEnded) {
        if (inFlight.size === 0) finish();
      } else if (!isPulling && inFlight.size < concurrency) {
        isPulling = true;
        deliveries.next().then(received, fail);
      }
    };
    const received = ({ done, value }: IteratorResult<Delivery, unknown>): void => {
      isPulling = false;
      if (done) isEnded = true;
      else if (isEnded) value.giveBack().catch((error) => onError(error, value));
      else void handle(value);
      advance();
    };
    const handle = async (delivery: Delivery): Promise<void> => {
      inFlight.add(delivery);
      await handleDelivery(delivery, handling);
      inFlight.delete(delivery);
      advance();
    };
    const onError = (error: unknown, delivery: Delivery): void => {
      try {
        options.onError?.(error, delivery);
      } catch (thrown) {
        fail(thrown);
      }
    };
    const handling: Handling = { ...options, handler, onError };
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
      const givenBack = [...inFlight].map((late) => late.giveBack().catch((error) => onError(error, late)));
      void within(Promise.all(givenBack), STOP_LIMIT_MS).then(finish);
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
