import type { DecodeErrorCode } from "@sinkwire/message";

const OF_CODE: Readonly<Record<Exclude<DecodeErrorCode, "invalid_field">, string>> = {
  invalid_json: "1.2-6",
  not_an_object: "1.2-12",
  unsupported_version: "1.2-13",
  ambiguous_body: "1.2-19",
  missing_body: "1.2-19",
  invalid_body_base64: "1.2-20",
  size_mismatch: "1.2-23",
  integrity: "1.2-24",
  tenant_mismatch: "1.2-25",
};

const OF_FIELD: ReadonlyMap<string, string> = new Map([
  ["id", "1.2-14"],
  ["source_id", "1.2-14"],
  ["received_at", "1.2-14"],
  ["size", "1.2-14"],
  ["verification", "1.2-16"],
  ["headers", "1.2-17"],
  ["sha256", "1.2-18"],
  ["claim", "1.2-21"],
]);
const OF_NULLABLE_TEXT = "1.2-15";
const OF_CLAIM_WITHOUT_DIGEST = "1.2-22";

/** Rules about bytes that are no text that a decoder reads. */
export const BYTE_RULES = { size: "1.2-3", utf8: "1.2-4", encoding: "1.2-5", zero: "1.2-32" } as const;

/**
 * The rule of `conformance/README.md` behind a refusal.
 *
 * @param code - of the refusal
 * @param field - the field at fault
 * @param present - whether that field is there at all
 */
export function ruleOf(code: DecodeErrorCode, field: string | null, present: boolean): string {
  if (code !== "invalid_field") return OF_CODE[code];
  if (field === "sha256" && !present) return OF_CLAIM_WITHOUT_DIGEST;
  return OF_FIELD.get(field ?? "") ?? OF_NULLABLE_TEXT;
}
