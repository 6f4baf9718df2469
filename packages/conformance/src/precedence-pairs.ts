/**
 * Which two faults one input of a decode can hold together, as winner → losers. The order is that of the checks. Left
 * out is what cannot meet: an array has no fields, a message without a body has none to decode, an inline body no claim.
 */
export const PRECEDENCE_PAIRS: Readonly<Record<string, readonly string[]>> = {
  invalid_json: [
    "not_an_object",
    "unsupported_version",
    "invalid_field",
    "ambiguous_body",
    "missing_body",
    "invalid_body_base64",
    "size_mismatch",
    "integrity",
    "tenant_mismatch",
  ],
  unsupported_version: [
    "invalid_field",
    "ambiguous_body",
    "missing_body",
    "invalid_body_base64",
    "size_mismatch",
    "integrity",
    "tenant_mismatch",
  ],
  invalid_field: [
    "ambiguous_body",
    "missing_body",
    "invalid_body_base64",
    "size_mismatch",
    "integrity",
    "tenant_mismatch",
  ],
  ambiguous_body: ["invalid_body_base64", "invalid_field", "size_mismatch", "integrity", "tenant_mismatch"],
  invalid_body_base64: ["size_mismatch", "integrity"],
  size_mismatch: ["integrity"],
};
