import { InvalidHookError, MessageTooLargeError } from "@sinkwire/message";
import { claimIdParts } from "./claim-id.js";
import {
  CLAIM_ID_BYTES,
  INDEX_NAME,
  INDEX_RECORD_BYTES,
  INDEX_START,
  LOCAL_HEADER_BYTES,
  viewOf,
} from "./pack-layout.js";
import { sha256Hex } from "./sha256.js";
import { isBytes } from "./store-arguments.js";
import { storedZip, storedZipSize } from "./stored-zip.js";

/** One claim of a pack. */
export interface PackClaim {
  /** The pack's id plus the claim's position, which is its place in the list. */
  readonly claim_id: string;
  /** The hook's id, not empty. */
  readonly id: string;
  readonly content_type?: string | null | undefined;
  /** Unix milliseconds. */
  readonly received_at: number;
  readonly body: Uint8Array;
}

/** A written pack, with the digest of each claim. */
export interface BuiltPack {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly digests: readonly string[];
}

const MANIFEST_NAME = "manifest.json";
/** ZIP without ZIP64 counts 65,535 entries; the index and the manifest are two of them. */
const MAX_CLAIMS = 0xffff - 2;
/** The largest offset that ZIP without ZIP64 can write. */
const MAX_PACK_BYTES = 0xffffffff;
/** As long as any tenant is valid, a claim id can be taken apart; the tenant does not stand in a pack. */
const ANY_TENANT = "t";

/**
 * Writes a pack: a plain ZIP of `index.bin`, one entry per claim and `manifest.json`, the same bytes for the same
 * claims.
 *
 * @param claims - all of one pack, in order of position, from 0; the bodies are copied
 * @returns the bytes of the pack
 * @throws `InvalidHookError` with the field at fault: `claims`, `claim_id`, `id`, `content_type`, `received_at` or
 *   `body_base64`
 * @throws `MessageTooLargeError` when the pack would pass 4 GiB
 */
export async function writePack(claims: readonly PackClaim[]): Promise<Uint8Array> {
  checkPackClaims(claims);
  return (await buildPack(claims)).bytes;
}

/** The checks of {@link writePack}, in the order of the fields. */
export function checkPackClaims(claims: readonly PackClaim[]): void {
  if (!Array.isArray(claims)) throw new InvalidHookError("claims", "not a list");
  if (claims.length === 0) throw new InvalidHookError("claims", "a pack holds at least one claim");
  if (claims.length > MAX_CLAIMS) throw new InvalidHookError("claims", `more than ${MAX_CLAIMS} in one pack`);
  let pack: string | undefined;
  for (const [position, claim] of claims.entries()) {
    if (typeof claim !== "object" || claim === null || Array.isArray(claim)) {
      throw new InvalidHookError("claims", "a claim is not an object");
    }
    const { claim_id, id, content_type, received_at, body } = claim as Partial<PackClaim>;
    pack = checkClaimId(claim_id, position, pack);
    if (!isText(id) || id === "") throw new InvalidHookError("id", "not a well-formed, non-empty string");
    if (content_type !== null && content_type !== undefined && !isText(content_type)) {
      throw new InvalidHookError("content_type", "not a well-formed string");
    }
    if (!Number.isSafeInteger(received_at)) throw new InvalidHookError("received_at", "not an integer of 53 bits");
    if (!isBytes(body)) throw new InvalidHookError("body_base64", "not bytes");
  }
}

/** Writes claims that {@link checkPackClaims} has passed. The bodies are copied before anything is awaited. */
export async function buildPack(claims: readonly PackClaim[]): Promise<BuiltPack> {
  const index = new Uint8Array(INDEX_RECORD_BYTES * claims.length);
  const records: { offset: number; length: number }[] = [];
  let offset = INDEX_START + index.length;
  for (const { body } of claims) {
    const { length } = body;
    offset += LOCAL_HEADER_BYTES + CLAIM_ID_BYTES;
    records.push({ offset, length });
    offset += length;
  }
  if (offset > MAX_PACK_BYTES) throw new MessageTooLargeError(offset, MAX_PACK_BYTES, "pack");
  const view = viewOf(index);
  for (const [position, record] of records.entries()) {
    view.setUint32(INDEX_RECORD_BYTES * position, record.offset);
    view.setUint32(INDEX_RECORD_BYTES * position + 4, record.length);
  }

  const copies = claims.map(({ claim_id, id, content_type, received_at, body }) => ({
    claim_id,
    id,
    content_type: content_type ?? null,
    received_at,
    body: new Uint8Array(body),
  }));
  const digests = await Promise.all(copies.map(({ body }) => sha256Hex(body)));
  const manifest = manifestOf(
    copies.map(({ claim_id, id, content_type, received_at }, position) => ({
      claim_id,
      id,
      ...records[position],
      sha256: digests[position],
      content_type,
      received_at,
    })),
  );
  const entries = [
    { name: INDEX_NAME, data: index },
    ...copies.map(({ claim_id, body }) => ({ name: claim_id, data: body })),
    { name: MANIFEST_NAME, data: manifest },
  ];
  const size = storedZipSize(entries.map(({ name, data }) => ({ name, size: data.length })));
  if (size > MAX_PACK_BYTES) throw new MessageTooLargeError(size, MAX_PACK_BYTES, "pack");
  return { bytes: storedZip(entries), digests };
}

/** Strings escaped as in a message: U+FFFE and U+FFFF too, so that every language writes the same bytes. */
function manifestOf(claims: readonly unknown[]): Uint8Array {
  const json = JSON.stringify({ v: 1, claims });
  return new TextEncoder().encode(json.replace(/[\ufffe\uffff]/g, (c) => (c === "\ufffe" ? "\\ufffe" : "\\uffff")));
}

function checkClaimId(claimId: unknown, position: number, pack: string | undefined): string {
  let parts: ReturnType<typeof claimIdParts>;
  try {
    parts = claimIdParts(claimId as string, ANY_TENANT);
  } catch (cause) {
    throw new InvalidHookError("claim_id", "not a canonical ULID", { cause });
  }
  if (parts.position !== position) throw new InvalidHookError("claim_id", `not the id of position ${position}`);
  if (pack !== undefined && parts.pack_id !== pack) throw new InvalidHookError("claim_id", "of another pack");
  return parts.pack_id;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.isWellFormed();
}
