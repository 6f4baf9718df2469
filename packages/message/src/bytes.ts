const prototype = Object.getPrototypeOf(Uint8Array.prototype) as object;
const tagOf = getter(Symbol.toStringTag);
const lengthOf = getter("length");

/**
 * Whether a value is a Uint8Array (a Buffer is one), also of another realm, as long as it says. A look-alike object is
 * not, nor is a view whose memory was transferred or shrunk away: it looks empty, and an empty body is not what was meant.
 */
export function isBytes(value: unknown): value is Uint8Array {
  if (tagOf(value) !== "Uint8Array") return false;
  const bytes = value as Uint8Array;
  const length = lengthOf(bytes);
  try {
    return bytes.length === length && bytes.byteLength === length && (length > 0 || !isGone(bytes));
  } catch {
    return false;
  }
}

/** Iterating is refused for a view of no memory, and only for that. */
function isGone(bytes: Uint8Array): boolean {
  try {
    Uint8Array.prototype.values.call(bytes);
    return false;
  } catch {
    return true;
  }
}

/** The platform's own getter: a property of the object cannot stand in for it. */
function getter(name: "length" | typeof Symbol.toStringTag): (value: unknown) => unknown {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get as (this: unknown) => unknown;
  return (value) => {
    try {
      return get.call(value);
    } catch {
      return undefined;
    }
  };
}

/** The same bytes where nobody else can change them while they are checked: a copy of shared memory, else as they are. */
export function unshared(bytes: Uint8Array): Uint8Array {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer) return bytes;
  return Object.prototype.toString.call(buffer) === "[object SharedArrayBuffer]" ? bytes.slice() : bytes;
}

/** The same bytes as a plain Uint8Array whose memory nothing else uses: a copy of those that share it. */
export function inOwnMemory(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  return buffer.byteLength === bytes.length ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
