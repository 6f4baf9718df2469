import { createLazyAbort } from "./lazy-abort.js";

/** How to keep a lease. */
export interface LeaseOptions {
  /** How long the broker leaves a delivery with us after each extension, in milliseconds. */
  readonly leaseMs: number;
  /** How often it is extended, in milliseconds, less than `leaseMs`. Default a third of it. */
  readonly everyMs?: number | undefined;
  /**
   * Called once when an extension failed, or had no answer when the lease ran out: abort the delivery's signal, since
   * the broker may hand it to another.
   */
  readonly lost: (error: unknown) => void;
}

/**
 * Extends a lease (a visibility timeout, an ack deadline, a message in progress) until it is stopped or lost.
 *
 * @param extend - extends it once; its signal aborts when the lease is stopped or has run out
 * @returns stops it, at once: nothing is extended and `lost` is not called after that
 */
export function keepLease(extend: (signal: AbortSignal) => Promise<unknown>, options: LeaseOptions): () => void {
  const { leaseMs, everyMs = leaseMs / 3, lost } = options;
  const stopped = createLazyAbort();
  let beat: NodeJS.Timeout | undefined;
  let expiry: NodeJS.Timeout | undefined;

  const stop = (): void => {
    clearTimeout(beat);
    clearTimeout(expiry);
    stopped.abort();
  };
  const lose = (error: unknown): void => {
    if (stopped.aborted) return;
    stop();
    lost(error);
  };
  /** The lease counts from `since`, a moment before the broker granted it. */
  const granted = (since: number): void => {
    if (stopped.aborted) return;
    const age = performance.now() - since;
    clearTimeout(expiry);
    expiry = setTimeout(() => lose(new Error(`no extension within a lease of ${leaseMs} ms`)), leaseMs - age);
    beat = setTimeout(extendOnce, everyMs - age);
  };
  const extendOnce = (): void => {
    const since = performance.now();
    Promise.resolve()
      .then(() => extend(stopped.signal))
      .then(() => granted(since), lose);
  };

  granted(performance.now());
  return stop;
}
