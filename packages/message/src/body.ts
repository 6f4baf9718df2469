import { tryParseClaimRef } from "./claim-ref.js";
import { Failure, invalidField } from "./failure.js";
import type { CommonFields } from "./fields.js";
import { sha256Hex } from "./runtime/node.js";

/** Holds a claim reference, well-formed by itself, against the fields of its message. Returns the first failure, or null. */
export function checkClaim(fields: CommonFields, ref: string): Failure | null {
  if (fields.sha256 === null) return invalidField("sha256", "the body's digest, since the body is a claim");
  if (fields.tenant_id !== null && fields.tenant_id !== tryParseClaimRef(ref)?.tenant_id) {
    return new Failure("tenant_mismatch", null, "the claim belongs to another tenant");
  }
  return null;
}

/** Holds the bytes of an inline body against the fields of its message. Returns the first failure, or null. */
export function checkInline(fields: CommonFields, bytes: Uint8Array): Failure | null {
  if (bytes.length !== fields.size) {
    return new Failure("size_mismatch", null, `size says ${fields.size} bytes and the body has ${bytes.length}`);
  }
  if (fields.sha256 !== null && sha256Hex(bytes) !== fields.sha256) {
    return new Failure("integrity", null, "sha256 is not the body's digest");
  }
  return null;
}
