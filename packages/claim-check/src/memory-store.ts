import type { ClaimStore } from "./store.js";

/** A store in this process's memory, for tests, demos and trials. Nothing is ever evicted. */
export function memoryStore(): ClaimStore {
  const objects = new Map<string, Uint8Array>();
  return {
    async put(key, bytes, options = {}) {
      options.signal?.throwIfAborted();
      objects.set(key, new Uint8Array(bytes));
    },
    async read(key, offset, length, options = {}) {
      options.signal?.throwIfAborted();
      return objects.get(key)?.slice(offset, offset + length) ?? null;
    },
  };
}
