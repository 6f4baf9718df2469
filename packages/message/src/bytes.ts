const tagOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)?.get as
  | ((this: unknown) => string | undefined)
  | undefined;

/** Whether a value is a Uint8Array (a Buffer is one), also of another realm; a look-alike object is not. */
export function isBytes(value: unknown): value is Uint8Array {
  return tagOf?.call(value) === "Uint8Array";
}

/** The same bytes where nobody else can change them while they are checked: a copy of shared memory, else as they are. */
export function unshared(bytes: Uint8Array): Uint8Array {
  return Object.prototype.toString.call(bytes.buffer) === "[object SharedArrayBuffer]" ? bytes.slice() : bytes;
}
