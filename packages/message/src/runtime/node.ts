import { Buffer, isUtf8 } from "node:buffer";
import { hash } from "node:crypto";

const encoder = new TextEncoder();

/** SHA-256 as 64 lowercase hex digits. */
export function sha256Hex(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}

/** The text of strict UTF-8, a byte order mark kept as U+FEFF; null when it is not UTF-8. */
export function utf8ToText(bytes: Uint8Array): string | null {
  return isUtf8(bytes) ? view(bytes).toString("utf8") : null;
}

/** UTF-8 of well-formed text, in memory of its own. */
export function textToUtf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/** How many bytes well-formed text takes in UTF-8. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

/** Standard, padded base64. */
export function toBase64(bytes: Uint8Array): string {
  return view(bytes).toString("base64");
}

/** The bytes of base64, small ones in a pool, or null when they are not `length`. Lenient otherwise: check the text. */
export function fromBase64(base64: string, length: number): Uint8Array<ArrayBuffer> | null {
  const bytes = Buffer.from(base64, "base64");
  return bytes.length === length ? bytes : null;
}

function view(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
