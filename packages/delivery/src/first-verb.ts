import type { DeliveryControls } from "./delivery.js";

/** The verbs of a delivery. */
export type Verb = "ack" | "retry" | "reject" | "giveBack";

/** The verb that took effect, and when it is done. */
export interface TakenVerb {
  readonly verb: Verb;
  /** As the verb's own promise. A rejection of it is not reported as unhandled. */
  readonly done: Promise<void>;
}

/** Verbs of which one takes effect. */
export interface FirstVerb {
  readonly verbs: Pick<DeliveryControls, Verb>;
  /** The one that did; null so far. */
  readonly taken: () => TakenVerb | null;
}

/**
 * Guards verbs, so that exactly one takes effect: the first. A later one, and any one after the signal aborted, resolves
 * at once and does nothing.
 *
 * @param verbs - what the verbs do
 * @param signal - aborted when the delivery is no longer ours to settle
 */
export function firstVerb(verbs: Pick<DeliveryControls, Verb>, signal: AbortSignal): FirstVerb {
  let taken: TakenVerb | null = null;
  const take = (verb: Verb, run: () => Promise<void>): Promise<void> => {
    if (taken !== null || signal.aborted) return Promise.resolve();
    const done = Promise.resolve().then(run);
    done.catch(() => {});
    taken = { verb, done };
    return done;
  };
  return {
    taken: () => taken,
    verbs: {
      ack: () => take("ack", () => verbs.ack()),
      retry: (options) => take("retry", () => verbs.retry(options)),
      reject: (reason, options) => take("reject", () => verbs.reject(reason, options)),
      giveBack: () => take("giveBack", () => verbs.giveBack()),
    },
  };
}
