import { types } from "node:util";

/**
 * What is kept of a body that is no message, so that a dead letter carries what really came.
 *
 * @param delivered - anything
 * @returns bytes as they are; text as UTF-8, with U+FFFD for a lone surrogate; no bytes for what is neither
 */
export function bytesOf(delivered: unknown): Uint8Array {
  if (typeof delivered === "string") return Buffer.from(delivered);
  return types.isUint8Array(delivered) ? delivered : new Uint8Array();
}
