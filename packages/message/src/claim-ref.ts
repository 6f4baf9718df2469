import { ClaimError } from "./errors.js";

/** A claim reference taken apart. `exp` and `sig` are null in version 1. */
export interface ClaimRef {
  readonly version: 1 | 2;
  readonly tenant_id: string;
  /** A canonical ULID. */
  readonly claim_id: string;
  /** What to GET below the gateway's address. */
  readonly path: string;
  /** Unix seconds as digits; carried for the gateway, never verified here. */
  readonly exp: string | null;
  readonly sig: string | null;
}

const PREFIX = "urn:ankusa:claim:v";
const TENANT = /^[A-Za-z0-9_-]{1,64}$/;
const CLAIM_ID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const EXP = /^[1-9][0-9]{0,11}$/;
const SIG = /^[A-Za-z0-9_-]{43}$/;
/** A v2 reference with the longest tenant and exp: nothing longer can parse, so nothing longer is split. */
const MAX_LENGTH: number = PREFIX.length + 1 + 1 + 64 + 1 + 26 + 1 + 12 + 1 + 43;

/**
 * Takes a claim reference apart.
 *
 * @param ref - `urn:ankusa:claim:v1:<tenant>:<claim_id>` or `urn:ankusa:claim:v2:<tenant>:<claim_id>:<exp>:<sig>`
 * @returns its parts and the path to redeem it at
 * @throws {@link ClaimError} `invalid_claim_ref` for anything else
 */
export function parseClaimRef(ref: string): ClaimRef {
  const parsed = tryParseClaimRef(ref);
  if (parsed === null) throw invalid("not a claim reference of version 1 or 2");
  return parsed;
}

/** As {@link parseClaimRef}, with null for what does not parse. */
export function tryParseClaimRef(ref: unknown): ClaimRef | null {
  if (typeof ref !== "string" || ref.length > MAX_LENGTH || !ref.startsWith(PREFIX)) return null;
  const [version, tenant_id, claim_id, exp = null, sig = null, ...rest] = ref.slice(PREFIX.length).split(":");
  return rest.length === 0 ? fromParts(version, tenant_id, claim_id, exp, sig) : null;
}

/**
 * Writes a claim reference.
 *
 * @param parts - the parts of a reference; `path` is not read
 * @returns the reference
 * @throws {@link ClaimError} `invalid_claim_ref` when the result would not parse to the same parts
 */
export function formatClaimRef(parts: Omit<ClaimRef, "path">): string {
  const { version, tenant_id, claim_id, exp, sig } = parts ?? {};
  const checked = fromParts(
    typeof version === "number" ? String(version) : undefined,
    tenant_id,
    claim_id,
    exp ?? null,
    sig ?? null,
  );
  if (checked === null) throw invalid("these parts do not make a claim reference");
  const ref = `${PREFIX}${checked.version}:${checked.tenant_id}:${checked.claim_id}`;
  return checked.version === 1 ? ref : `${ref}:${checked.exp}:${checked.sig}`;
}

function fromParts(version: unknown, tenant: unknown, id: unknown, exp: unknown, sig: unknown): ClaimRef | null {
  if (!matches(TENANT, tenant) || !matches(CLAIM_ID, id)) return null;
  const path = `/v1/claims/${tenant}/${id}`;
  if (version === "1") {
    return exp === null && sig === null ? { version: 1, tenant_id: tenant, claim_id: id, path, exp, sig } : null;
  }
  if (version !== "2" || !matches(EXP, exp) || !matches(SIG, sig)) return null;
  return { version: 2, tenant_id: tenant, claim_id: id, path: `${path}?exp=${exp}&sig=${sig}`, exp, sig };
}

function matches(pattern: RegExp, value: unknown): value is string {
  return typeof value === "string" && pattern.test(value);
}

function invalid(message: string): ClaimError {
  return new ClaimError("invalid_claim_ref", message);
}
