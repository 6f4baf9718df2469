/**
 * What is kept of a body that is no message, so that a dead letter carries what really came.
 *
 * @param delivered - anything
 * @returns bytes as they are; text as UTF-8, with U+FFFD for a lone surrogate; no bytes for what is neither
 */
export function bytesOf(delivered: unknown): Uint8Array {
  if (typeof delivered === "string") return Buffer.from(delivered);
  return isUint8Array(delivered) ? delivered : new Uint8Array();
}

/** Also of another realm, which `instanceof` does not see. */
function isUint8Array(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === "[object Uint8Array]";
}
