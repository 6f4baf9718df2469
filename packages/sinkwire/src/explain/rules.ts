import type { DecodeErrorCode } from "@sinkwire/message";

const RULES: Readonly<Record<DecodeErrorCode, string>> = {
  invalid_json: "1.2-1",
  not_an_object: "1.2-2",
  unsupported_version: "1.2-3",
  invalid_field: "1.2-4",
  ambiguous_body: "1.2-5",
  missing_body: "1.2-5",
  invalid_body_base64: "1.2-5",
  size_mismatch: "1.2-6",
  integrity: "1.2-6",
  tenant_mismatch: "1.2-7",
};

/** The rule of `conformance/README.md` behind a refusal; `present` says whether the field is there at all. */
export function ruleOf(code: DecodeErrorCode, field: string | null, present: boolean): string {
  const ofBody = field === "claim" || (field === "sha256" && !present);
  return code === "invalid_field" && ofBody ? "1.2-5" : RULES[code];
}
