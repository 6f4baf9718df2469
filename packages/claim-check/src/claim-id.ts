import { formatClaimRef } from "@sinkwire/message";

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const POSITION_BITS = 16n;
const RANDOM_BITS = 64n;
const ULID_LENGTH = 26;

/** What a claim id says. */
export interface ClaimIdParts {
  /** When the claim was checked in, Unix milliseconds. */
  readonly timestamp_ms: number;
  /** Which claim of its pack, from 0. */
  readonly position: number;
  /** The claim id with the position bits zero. */
  readonly pack_id: string;
  /** Where the pack is kept: `claims/tenant=<tenant>/dt=<UTC date of the pack id>/<pack id>`. */
  readonly object_key: string;
}

/**
 * Takes a claim id apart.
 *
 * @param claimId - a canonical ULID: 48 bits of time, 64 random bits, 16 bits of position
 * @param tenantId - whose claim it is
 * @throws `ClaimError` `invalid_claim_ref` when the two could not stand in a claim reference
 */
export function claimIdParts(claimId: string, tenantId: string): ClaimIdParts {
  formatClaimRef({ version: 1, tenant_id: tenantId, claim_id: claimId, exp: null, sig: null });
  let value = 0n;
  for (const digit of claimId) value = (value << 5n) | BigInt(CROCKFORD.indexOf(digit));
  const timestamp_ms = Number(value >> (RANDOM_BITS + POSITION_BITS));
  const pack_id = ulid((value >> POSITION_BITS) << POSITION_BITS);
  return {
    timestamp_ms,
    position: Number(BigInt.asUintN(Number(POSITION_BITS), value)),
    pack_id,
    object_key: `claims/tenant=${tenantId}/dt=${utcDate(timestamp_ms)}/${pack_id}`,
  };
}

/** A fresh pack id: the time now and 64 random bits. It is also the id of the pack's first claim. */
export function newPackId(): string {
  const [random = 0n] = crypto.getRandomValues(new BigUint64Array(1));
  return ulid(((BigInt(Date.now()) << RANDOM_BITS) | random) << POSITION_BITS);
}

function ulid(value: bigint): string {
  let text = "";
  for (let rest = value; text.length < ULID_LENGTH; rest >>= 5n) text = CROCKFORD.charAt(Number(rest & 31n)) + text;
  return text;
}

/** Not `toISOString`: the years that 48 bits reach beyond 9999 would get a sign. */
function utcDate(timestampMs: number): string {
  const date = new Date(timestampMs);
  const year = String(date.getUTCFullYear()).padStart(4, "0");
  const month = String(date.getUTCMonth() + 1).padStart(2, "0");
  return `${year}-${month}-${String(date.getUTCDate()).padStart(2, "0")}`;
}
