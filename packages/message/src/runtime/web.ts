import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();
/** Arguments of one `String.fromCharCode` call: far below what any engine's stack takes. */
const CHUNK = 8_192;

/** SHA-256 as 64 lowercase hex digits. */
export function sha256Hex(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes));
}

/** The text of strict UTF-8, a byte order mark kept as U+FEFF; null when it is not UTF-8. */
export function utf8ToText(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

/** UTF-8 of well-formed text, in memory of its own. */
export function textToUtf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/** How many bytes well-formed text takes in UTF-8. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) {
      length += 1;
    } else {
      length += 2;
      if (unit >= 0xd800 && unit < 0xdc00) i++;
    }
  }
  return length;
}

/** Standard, padded base64. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let i = 0; i < bytes.length; i += CHUNK) binary += String.fromCharCode(...bytes.subarray(i, i + CHUNK));
  return btoa(binary);
}

/** The bytes of base64, or null when they are not `length`. Lenient otherwise: check the text. */
export function fromBase64(base64: string, length: number): Uint8Array<ArrayBuffer> | null {
  let binary: string;
  try {
    binary = atob(base64);
  } catch {
    return null;
  }
  if (binary.length !== length) return null;
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
