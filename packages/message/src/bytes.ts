const tagOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)?.get as
  | ((this: unknown) => string | undefined)
  | undefined;

/**
 * Whether a value is a Uint8Array (a Buffer is one), also of another realm. A look-alike object is not, nor is a view
 * whose memory was transferred away: it looks empty, and an empty body is not what was meant.
 */
export function isBytes(value: unknown): value is Uint8Array {
  if (tagOf?.call(value) !== "Uint8Array") return false;
  const bytes = value as Uint8Array;
  return bytes.length > 0 || !isDetached(bytes.buffer);
}

function isDetached(buffer: ArrayBufferLike): boolean {
  try {
    return new Uint8Array(buffer).length < 0; // cannot be constructed on memory that is gone
  } catch {
    return true;
  }
}

/** The same bytes where nobody else can change them while they are checked: a copy of shared memory, else as they are. */
export function unshared(bytes: Uint8Array): Uint8Array {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer) return bytes;
  return Object.prototype.toString.call(buffer) === "[object SharedArrayBuffer]" ? bytes.slice() : bytes;
}
