/** What may be aborted, and whose signal few ask for. */
export interface LazyAbort {
  /** Aborts when {@link LazyAbort.abort} is called, or has been. */
  readonly signal: AbortSignal;
  readonly aborted: boolean;
  /** The first call counts. */
  abort(reason?: unknown): void;
}

/** Makes an abort whose controller is made when its signal is first asked for: one costs more than a whole delivery. */
export function createLazyAbort(): LazyAbort {
  let controller: AbortController | undefined;
  let given: { readonly reason: unknown } | undefined;
  return {
    get signal() {
      if (controller === undefined) {
        controller = new AbortController();
        if (given !== undefined) controller.abort(given.reason);
      }
      return controller.signal;
    },
    get aborted() {
      return given !== undefined;
    },
    abort(reason) {
      given ??= { reason };
      controller?.abort(reason);
    },
  };
}
