/** Options of everything that waits. */
export interface WaitOptions {
  /** Gives up when aborted: the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Where packs are kept. Implement it over any object store that has ranged reads.
 *
 * A failure is best thrown as a `ClaimUnavailableError`, with the reason `"forbidden"` when the store refuses these
 * credentials; anything else that is thrown counts as unavailable.
 */
export interface ClaimStore {
  /**
   * Keeps a whole object, durably, before it resolves; a reader sees all of it or nothing. The same bytes may be put
   * again.
   *
   * @param key - `claims/tenant=<tenant>/dt=<date>/<pack id>`
   * @param bytes - the pack; not changed afterwards by the caller
   * @throws `InvalidHookError` (`key`, `bytes`) for what is none
   */
  put(key: string, bytes: Uint8Array, options?: WaitOptions): Promise<void>;

  /**
   * Reads a part of an object.
   *
   * @param offset - first byte, from 0
   * @param length - bytes wanted, at least 1
   * @returns the bytes, fewer (down to none) where the object ends earlier; null when there is no such object. Memory
   *   is taken for what the object holds, never for what was asked. Null is final for a consumer: a store that cannot
   *   tell whether the object is there throws.
   * @throws `InvalidHookError` (`key`, `offset`, `length`) for what is none
   */
  read(key: string, offset: number, length: number, options?: WaitOptions): Promise<Uint8Array | null>;

  /**
   * Rejects when the store cannot be read now. The gateway's `/health` asks it, so it should be quick. Optional: a
   * store without it counts as usable.
   */
  check?(options?: WaitOptions): Promise<void>;
}
