import { ClaimError, InvalidHookError } from "@sinkwire/message";
import {
  CLAIM_ID_BYTES,
  INDEX_NAME,
  INDEX_RECORD_BYTES,
  INDEX_START,
  LOCAL_HEADER_BYTES,
  LOCAL_HEADER_SIGNATURE,
  MAX_POSITION,
  viewOf,
} from "./pack-layout.js";
import { isBytes } from "./store-arguments.js";

/**
 * A pack: its bytes, or a ranged reader over them. A reader gives the bytes from `offset`, at most `length` and fewer
 * where the pack ends, or null when there is no pack.
 */
export type PackSource = Uint8Array | ((offset: number, length: number) => Promise<Uint8Array | null>);

/** Where a claim's body stands in its pack. */
export interface ClaimExtent {
  readonly offset: number;
  readonly length: number;
}

/**
 * Reads one body out of a pack: one read of the index up to the position, one of the body.
 *
 * @param source - the pack, whose bytes need not be trusted: memory is taken for what it holds, not for what it says
 * @param position - which claim, from 0
 * @returns the body in memory of its own. Its digest is not checked here: the message says what it has to be.
 * @throws `ClaimError` `claim_not_found` without a pack or past its index; `claim_integrity` when the bytes are not a
 *   pack, or end too early; `InvalidHookError` (`source`) for a source that is none, or that gives neither bytes nor
 *   null. What a reader throws comes out as it is.
 */
export async function readClaim(source: PackSource, position: number): Promise<Uint8Array> {
  return readExtent(source, await findClaim(source, position));
}

/** The first half of {@link readClaim}: where the body stands. */
export async function findClaim(source: PackSource, position: number): Promise<ClaimExtent> {
  if (!Number.isInteger(position) || position < 0 || position > MAX_POSITION) throw notFound();
  const recordStart = INDEX_START + INDEX_RECORD_BYTES * position;
  const recordEnd = recordStart + INDEX_RECORD_BYTES;
  const head = await read(source, 0, recordEnd);
  if (head === null) throw notFound();
  if (head.length < INDEX_START) throw broken("ends before its index");

  const view = viewOf(head);
  const indexBytes = indexSize(head, view);
  if (recordEnd > INDEX_START + indexBytes) throw notFound();
  if (head.length < recordEnd) throw broken("ends within its index");
  const offset = view.getUint32(recordStart);
  const length = view.getUint32(recordStart + 4);
  if (offset < INDEX_START + indexBytes + LOCAL_HEADER_BYTES + CLAIM_ID_BYTES) {
    throw broken("has a claim that overlaps its index");
  }
  return { offset, length };
}

/** The second half of {@link readClaim}, of all or a part of a body. */
export async function readExtent(source: PackSource, { offset, length }: ClaimExtent): Promise<Uint8Array> {
  if (length === 0) return new Uint8Array();
  const bytes = await read(source, offset, length);
  if (bytes === null) throw notFound();
  if (bytes.length !== length) throw broken("ends within a claim");
  return bytes;
}

async function read(source: PackSource, offset: number, length: number): Promise<Uint8Array | null> {
  if (typeof source === "function") {
    const bytes = await source(offset, length);
    if (bytes !== null && !isBytes(bytes)) throw new InvalidHookError("source", "gave neither bytes nor null");
    return bytes;
  }
  if (!isBytes(source)) throw new InvalidHookError("source", "neither bytes nor a reader");
  return new Uint8Array(source.subarray(offset, offset + length));
}

/** Bytes of the index, from the local header of the first entry, which must be a stored `index.bin`. */
function indexSize(head: Uint8Array, view: DataView): number {
  const method = view.getUint16(8, true);
  const compressed = view.getUint32(18, true);
  const size = view.getUint32(22, true);
  const nameLength = view.getUint16(26, true);
  const extraLength = view.getUint16(28, true);
  const name = String.fromCharCode(...head.subarray(LOCAL_HEADER_BYTES, INDEX_START));
  if (
    view.getUint32(0, true) !== LOCAL_HEADER_SIGNATURE ||
    method !== 0 ||
    compressed !== size ||
    size % INDEX_RECORD_BYTES !== 0 ||
    nameLength !== INDEX_NAME.length ||
    extraLength !== 0 ||
    name !== INDEX_NAME
  ) {
    throw broken("does not start with an index");
  }
  return size;
}

function notFound(): ClaimError {
  return new ClaimError("claim_not_found", "there is no such claim");
}

function broken(what: string): ClaimError {
  return new ClaimError("claim_integrity", `the pack ${what}`);
}
