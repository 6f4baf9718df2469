import { crc32 } from "./crc32.js";
import { LOCAL_HEADER_BYTES, LOCAL_HEADER_SIGNATURE, viewOf } from "./pack-layout.js";

/** One file of an archive. */
export interface StoredEntry {
  /** ASCII. */
  readonly name: string;
  readonly data: Uint8Array;
}

const CENTRAL_SIGNATURE = 0x02014b50;
const CENTRAL_HEADER_BYTES = 46;
const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const VERSION = 20;
/** 1980-01-01 in DOS form: year 0, month 1, day 1. */
const DOS_DATE = 0x0021;

/** Bytes that {@link storedZip} will take for entries of these name and data sizes. */
export function storedZipSize(entries: readonly { readonly name: string; readonly size: number }[]): number {
  return entries.reduce(
    (sum, { name, size }) => sum + LOCAL_HEADER_BYTES + CENTRAL_HEADER_BYTES + 2 * name.length + size,
    END_BYTES,
  );
}

/**
 * Writes a plain ZIP: every entry stored, no ZIP64, no extra fields, one fixed date, so equal entries give equal bytes.
 * The caller has checked that {@link storedZipSize} is under 4 GiB and that there are at most 65,535 entries.
 */
export function storedZip(entries: readonly StoredEntry[]): Uint8Array<ArrayBuffer> {
  const size = storedZipSize(entries.map(({ name, data }) => ({ name, size: data.length })));
  const bytes = new Uint8Array(size);
  const view = viewOf(bytes);
  const text = new TextEncoder();
  const offsets: number[] = [];
  const checksums = entries.map(({ data }) => crc32(data));
  let at = 0;

  for (const [index, { name, data }] of entries.entries()) {
    offsets.push(at);
    view.setUint32(at, LOCAL_HEADER_SIGNATURE, true);
    writeCommonFields(at + 4, checksums[index] as number, name, data);
    text.encodeInto(name, bytes.subarray(at + LOCAL_HEADER_BYTES));
    at += LOCAL_HEADER_BYTES + name.length;
    bytes.set(data, at);
    at += data.length;
  }

  const directory = at;
  for (const [index, { name, data }] of entries.entries()) {
    view.setUint32(at, CENTRAL_SIGNATURE, true);
    view.setUint16(at + 4, VERSION, true);
    writeCommonFields(at + 6, checksums[index] as number, name, data);
    view.setUint32(at + 42, offsets[index] as number, true);
    text.encodeInto(name, bytes.subarray(at + CENTRAL_HEADER_BYTES));
    at += CENTRAL_HEADER_BYTES + name.length;
  }

  view.setUint32(at, END_SIGNATURE, true);
  view.setUint16(at + 8, entries.length, true);
  view.setUint16(at + 10, entries.length, true);
  view.setUint32(at + 12, at - directory, true);
  view.setUint32(at + 16, directory, true);
  return bytes;

  /** Version needed to name length: the fields that both headers share. Flags, method, time and extras stay zero. */
  function writeCommonFields(start: number, checksum: number, name: string, data: Uint8Array): void {
    view.setUint16(start, VERSION, true);
    view.setUint16(start + 8, DOS_DATE, true);
    view.setUint32(start + 10, checksum, true);
    view.setUint32(start + 14, data.length, true);
    view.setUint32(start + 18, data.length, true);
    view.setUint16(start + 22, name.length, true);
  }
}
