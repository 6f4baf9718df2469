import { isSinkwireError } from "@sinkwire/message";
import { PublishError } from "../errors.js";
import type { Receipt } from "../publisher.js";
import type { InFlight } from "./in-flight.js";
import { createLazyAbort, type LazyAbort } from "./lazy-abort.js";
import { integerOption, MAX_TIMER_MS } from "./options.js";

/** How long a publisher waits for a place and the broker's answer by default, in milliseconds. */
export const PUBLISH_TIMEOUT_MS = 30_000;

/** What bounds one publish. */
export interface PublishBounds {
  /** The publisher's unconfirmed messages, or what lets one in among them. */
  readonly inFlight: Pick<InFlight, "enter">;
  /** What this one takes, in bytes. */
  readonly bytes: number;
  /** In milliseconds, from the call to the broker's answer. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** The caller's. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes one message and waits for the broker's answer.
 *
 * @param written - to be called just before the first byte may leave: from then on a failure without an answer is `unknown`
 * @param call - its signal aborts when nobody waits any more
 */
export type WriteMessage = (written: () => void, call: Pick<LazyAbort, "signal">) => Promise<Receipt>;

/**
 * Runs one publish under a timeout and the caller's signal. It settles at either, also when the write does not listen;
 * the message keeps its place in `inFlight` until the write itself settles, so that a broker that answers nothing cannot
 * make the unconfirmed bytes grow.
 *
 * @param write - the write, started when there is a place
 * @param bounds - place, timeout and signal
 * @returns the broker's receipt
 * @throws PublishError that `write` threw, as it is; else `publish_failed` with the error, the signal's reason or the
 *   timeout as its cause: `unknown` when it was written, `not_published` when not. InvalidHookError for a timeout that
 *   cannot be used
 */
export async function publishWithin(write: WriteMessage, bounds: PublishBounds): Promise<Receipt> {
  const { inFlight, bytes, signal } = bounds;
  const timeoutMs = integerOption(bounds.timeoutMs, "timeoutMs", PUBLISH_TIMEOUT_MS, 1, MAX_TIMER_MS);
  const call = createLazyAbort();
  let isWritten = false;
  const failed = (error: unknown): PublishError =>
    isPublishError(error)
      ? error
      : new PublishError("publish_failed", isWritten ? "written, and not confirmed" : "not written", {
          outcome: isWritten ? "unknown" : "not_published",
          cause: error,
        });
  const run = async (): Promise<Receipt> => {
    const leave = await inFlight.enter(bytes, call);
    try {
      if (call.aborted) call.signal.throwIfAborted();
      return await write(() => {
        if (call.aborted) call.signal.throwIfAborted();
        isWritten = true;
      }, call);
    } finally {
      leave();
    }
  };

  return new Promise((resolve, reject) => {
    const release = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    };
    const stop = (reason: unknown): void => {
      release();
      reject(failed(reason));
      call.abort(reason);
    };
    const abort = (): void => stop(signal?.reason);
    const timer = setTimeout(() => stop(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort);
    run()
      .then(resolve, (error) => reject(failed(error)))
      .finally(release);
  });
}

function isPublishError(error: unknown): error is PublishError {
  return isSinkwireError(error) && Object.hasOwn(error, "outcome");
}
