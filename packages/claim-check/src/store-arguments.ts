import { InvalidHookError } from "@sinkwire/message";
import { integerOption } from "./options.js";
import type { ClaimStore } from "./store.js";

/** The only keys there are: a segment can be neither empty, nor a dot, nor hold a separator. */
const KEY = /^claims\/tenant=[A-Za-z0-9_-]{1,64}\/dt=[0-9]{4,5}-[0-9]{2}-[0-9]{2}\/[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Checks the `store` option. Throws `invalid_hook` (`store`). */
export function storeOption(store: unknown): ClaimStore {
  const { put, read, check } = (store ?? {}) as Record<keyof ClaimStore, unknown>;
  if (typeof put !== "function" || typeof read !== "function") {
    throw new InvalidHookError("store", "not a store: it needs put and read");
  }
  if (check !== undefined && typeof check !== "function") throw new InvalidHookError("store", "check is no function");
  return store as ClaimStore;
}

/** Checks what a store's `put` is given. Throws `invalid_hook` (`key`, `bytes`). */
export function checkPut(key: unknown, bytes: unknown): void {
  checkKey(key);
  if (!isBytes(bytes)) throw new InvalidHookError("bytes", "not bytes");
}

/** Checks what a store's `read` is given. Throws `invalid_hook` (`key`, `offset`, `length`). */
export function checkRead(key: unknown, offset: unknown, length: unknown): void {
  checkKey(key);
  integerOption("offset", offset ?? Number.NaN, 0, 0);
  integerOption("length", length ?? Number.NaN, 1, 1);
}

/** By brand, not `instanceof`: bytes of another realm are bytes. */
export function isBytes(value: unknown): value is Uint8Array {
  return Object.prototype.toString.call(value) === "[object Uint8Array]" && ArrayBuffer.isView(value);
}

function checkKey(key: unknown): void {
  if (typeof key !== "string" || !KEY.test(key)) throw new InvalidHookError("key", "not a key of a claim store");
}
