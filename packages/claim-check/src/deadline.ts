import { ClaimUnavailableError } from "./errors.js";

/** The longest delay that a timer takes, in milliseconds. */
export const MAX_TIMEOUT_MS = 2_147_483_647;

/**
 * Runs work under a deadline: whichever of the work, the timeout and the caller's abort comes first settles the call,
 * also when the work does not listen to its signal.
 *
 * @throws the caller's reason on abort; {@link ClaimUnavailableError} on timeout
 */
export function withDeadline<T>(
  timeoutMs: number,
  caller: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  return new Promise<T>((resolve, reject) => {
    caller?.throwIfAborted();
    const onAbort = () => stop(caller?.reason);
    const onTimeout = () => stop(new ClaimUnavailableError(`no complete answer within ${timeoutMs} ms`));
    const timer = setTimeout(onTimeout, timeoutMs);
    caller?.addEventListener("abort", onAbort);
    function release(): void {
      clearTimeout(timer);
      caller?.removeEventListener("abort", onAbort);
    }
    function stop(reason: unknown): void {
      release();
      reject(reason);
      controller.abort(reason);
    }
    work(controller.signal).then(resolve, reject).finally(release);
  });
}
