import { integerOption } from "./options.js";

/** Most messages of one publisher that wait for the broker's answer. */
export const MAX_IN_FLIGHT_MESSAGES = 256;

/** Most bytes of one publisher that wait for the broker's answer: 16 MiB. */
export const MAX_IN_FLIGHT_BYTES = 16_777_216;

/** How much may be unconfirmed. */
export interface InFlightLimits {
  /** Default 256. */
  readonly maxMessages?: number | undefined;
  /** In bytes; a message that is larger on its own goes alone. Default 16 MiB. */
  readonly maxBytes?: number | undefined;
}

/** A publisher's unconfirmed messages. */
export interface InFlight {
  /**
   * Waits until a message may be written; whoever comes first goes first.
   *
   * @param bytes - what the message takes
   * @param options - `signal` ends the wait
   * @returns frees its place; a second call does nothing
   * @throws the signal's reason
   */
  enter(bytes: number, options?: { readonly signal?: AbortSignal | undefined }): Promise<() => void>;
  /** Waits until nothing is unconfirmed and nobody waits. */
  idle(): Promise<void>;
  /** How many messages are unconfirmed. */
  readonly messages: number;
  /** How many bytes they take. */
  readonly bytes: number;
}

interface Waiting {
  readonly bytes: number;
  readonly start: () => void;
}

/**
 * Bounds what is unconfirmed: beyond the limits, whoever publishes waits.
 *
 * @throws InvalidHookError for a limit that is not an integer of at least 1
 */
export function createInFlight(limits: InFlightLimits = {}): InFlight {
  const maxMessages = integerOption(limits.maxMessages, "maxMessages", MAX_IN_FLIGHT_MESSAGES, 1);
  const maxBytes = integerOption(limits.maxBytes, "maxBytes", MAX_IN_FLIGHT_BYTES, 1);
  const waiting = new Set<Waiting>();
  const idlers: (() => void)[] = [];
  let messages = 0;
  let bytes = 0;

  const fits = (more: number): boolean => messages === 0 || (messages < maxMessages && bytes + more <= maxBytes);
  const take = (size: number): (() => void) => {
    messages++;
    bytes += size;
    let taken = true;
    return () => {
      if (!taken) return;
      taken = false;
      messages--;
      bytes -= size;
      startWaiting();
    };
  };
  const startWaiting = (): void => {
    for (const next of waiting) {
      if (!fits(next.bytes)) return;
      next.start();
    }
    if (messages > 0) return;
    for (const resolve of idlers.splice(0)) resolve();
  };

  return {
    async enter(size, options = {}) {
      if (waiting.size === 0 && fits(size)) return take(size);
      const { signal } = options;
      signal?.throwIfAborted();
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          waiting.delete(entry);
          signal?.removeEventListener("abort", abort);
        };
        const abort = (): void => {
          leave();
          reject(signal?.reason);
          startWaiting();
        };
        const entry: Waiting = {
          bytes: size,
          start: () => {
            leave();
            resolve(take(size));
          },
        };
        signal?.addEventListener("abort", abort);
        waiting.add(entry);
      });
    },
    idle: () =>
      messages === 0 && waiting.size === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            idlers.push(resolve);
          }),
    get messages() {
      return messages;
    },
    get bytes() {
      return bytes;
    },
  };
}
