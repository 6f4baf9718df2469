/** Bytes of a ZIP local file header before the entry's name. */
export const LOCAL_HEADER_BYTES = 30;
/** The first entry: u32 BE offset and u32 BE length of each claim, by position. */
export const INDEX_NAME = "index.bin";
/** Where the index's data starts: 39. */
export const INDEX_START: number = LOCAL_HEADER_BYTES + INDEX_NAME.length;
/** Bytes of one index record. */
export const INDEX_RECORD_BYTES = 8;
/** Characters of a claim id, which names its entry. */
export const CLAIM_ID_BYTES = 26;
/** `PK\3\4`, little endian. */
export const LOCAL_HEADER_SIGNATURE = 0x04034b50;
/** Positions are 16 bits. */
export const MAX_POSITION = 0xffff;

/** A view of exactly these bytes. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
