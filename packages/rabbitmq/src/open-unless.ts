/** What can be closed. */
interface Closable {
  close(): Promise<unknown>;
}

/**
 * Opens something that may take for ever, unless a signal aborts first: what comes after that is closed.
 *
 * @param signal - ends the wait
 * @param open - opens it
 * @throws the signal's reason, or what `open` threw
 */
export function openUnless<T extends Closable>(signal: AbortSignal, open: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort);
    open()
      .then((opened) => {
        if (signal.aborted) opened.close().catch(() => {});
        else resolve(opened);
      }, reject)
      .finally(() => signal.removeEventListener("abort", abort));
  });
}
