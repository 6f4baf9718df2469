/** Wakes whoever waits for a change. */
export interface Bell {
  /**
   * Waits for the next ring.
   *
   * @param signal - ends the wait
   * @throws the signal's reason, or what `fail` was given
   */
  wait(signal: AbortSignal): Promise<void>;
  /** Ends every wait. */
  ring(): void;
  /** Ends every wait with an error. */
  fail(error: unknown): void;
}

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Makes a bell. It holds nothing of a wait that has ended, however long it does not ring. */
export function createBell(): Bell {
  const waiters = new Set<Waiter>();
  return {
    wait: (signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const leave = (): void => {
          waiters.delete(waiter);
          signal.removeEventListener("abort", abort);
        };
        const waiter: Waiter = {
          resolve: () => {
            leave();
            resolve();
          },
          reject: (error) => {
            leave();
            reject(error);
          },
        };
        const abort = (): void => waiter.reject(signal.reason);
        waiters.add(waiter);
        signal.addEventListener("abort", abort);
      }),
    ring() {
      for (const waiter of [...waiters]) waiter.resolve();
    },
    fail(error) {
      for (const waiter of [...waiters]) waiter.reject(error);
    },
  };
}
