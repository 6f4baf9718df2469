/** Lets code wait for a state that changes now and then. */
export interface Changes {
  /** Call it when the state has changed. */
  note(): void;
  /**
   * Waits.
   *
   * @param isSo - what is waited for
   * @param signal - ends the wait early, without an error
   */
  until(isSo: () => boolean, signal: AbortSignal): Promise<void>;
}

/** Makes a way to wait, which keeps nothing of waits that have ended. */
export function createChanges(): Changes {
  const waiters = new Set<() => void>();
  return {
    note() {
      for (const waiter of waiters) waiter();
    },
    until: (isSo, signal) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!signal.aborted && !isSo()) return;
          waiters.delete(look);
          signal.removeEventListener("abort", look);
          resolve();
        };
        waiters.add(look);
        signal.addEventListener("abort", look);
        look();
      }),
  };
}
