import { createHash, type Hash } from "node:crypto";

/** Big-endian u32. */
export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Big-endian u64. */
export function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
}

/** A u32 byte length, then the bytes (text as UTF-8): no two lists of parts give the same bytes. */
export function lp32(value: string | Uint8Array): Buffer {
  const bytes = Buffer.from(value as Uint8Array);
  return Buffer.concat([u32(bytes.length), bytes]);
}

/** SHA-256 over a domain, the byte 0x01 and the parts: one digest never means two things. */
export function digest(domain: string, ...parts: readonly Uint8Array[]): Buffer {
  const hash: Hash = createHash("sha256").update(domain).update(Buffer.of(1));
  for (const part of parts) hash.update(part);
  return hash.digest();
}
