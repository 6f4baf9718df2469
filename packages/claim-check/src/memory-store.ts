import type { ClaimStore } from "./store.js";
import { checkPut, checkRead } from "./store-arguments.js";

/** A store in this process's memory, for tests, demos and trials. Nothing is ever evicted. */
export function memoryStore(): ClaimStore {
  const objects = new Map<string, Uint8Array>();
  return {
    async put(key, bytes, options = {}) {
      options.signal?.throwIfAborted();
      checkPut(key, bytes);
      objects.set(key, new Uint8Array(bytes));
    },
    async read(key, offset, length, options = {}) {
      options.signal?.throwIfAborted();
      checkRead(key, offset, length);
      return objects.get(key)?.slice(offset, offset + length) ?? null;
    },
  };
}
