import { tryParseClaimRef } from "./claim-ref.js";
import { type CommonFields, type Failure, invalidField } from "./fields.js";
import { sha256Hex } from "./runtime/node.js";
import type { MessageBody } from "./types.js";

/** Holds a body, well-formed by itself, against the fields of its message. Returns the first failure, or null. */
export function checkBody(fields: CommonFields, body: MessageBody): Failure | null {
  return body.form === "claim" ? checkClaim(fields, body.ref) : checkInline(fields, body.bytes);
}

function checkClaim(fields: CommonFields, ref: string): Failure | null {
  if (fields.sha256 === null) return invalidField("sha256", "the body's digest, since the body is a claim");
  if (fields.tenant_id !== null && fields.tenant_id !== tryParseClaimRef(ref)?.tenant_id) {
    return { code: "tenant_mismatch", field: null, message: "the claim belongs to another tenant" };
  }
  return null;
}

function checkInline(fields: CommonFields, bytes: Uint8Array): Failure | null {
  if (bytes.length !== fields.size) {
    const message = `size says ${fields.size} bytes and the body has ${bytes.length}`;
    return { code: "size_mismatch", field: null, message };
  }
  if (fields.sha256 !== null && sha256Hex(bytes) !== fields.sha256) {
    return { code: "integrity", field: null, message: "sha256 is not the body's digest" };
  }
  return null;
}
