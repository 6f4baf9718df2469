/**
 * Bounds a call in time.
 *
 * @param ms - in milliseconds
 * @param call - its signal aborts when the time has passed or the outer signal aborted; it need not listen
 * @param outer - ends the call earlier
 * @throws what the call threw; the outer signal's reason; an Error when the time has passed
 */
export function callWithin<T>(ms: number, call: (signal: AbortSignal) => Promise<T>, outer?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    const stop = (reason: unknown): void => {
      reject(reason);
      controller.abort(reason);
    };
    const abort = (): void => stop(outer?.reason);
    const timer = setTimeout(() => stop(new Error(`no answer within ${ms} ms`)), ms);
    const release = (): void => {
      clearTimeout(timer);
      outer?.removeEventListener("abort", abort);
    };
    outer?.addEventListener("abort", abort);
    if (outer?.aborted) abort();
    call(controller.signal).then(resolve, reject).finally(release);
  });
}
