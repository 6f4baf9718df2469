import { InvalidLaneTupleError } from "./errors.js";

const MAX_U32 = 0xffff_ffff;
const MAX_U64 = 0xffff_ffff_ffff_ffffn;
const HEX = /^(?:[0-9a-f]{2})+$/;
const U64_TEXT = /^(?:0|[1-9][0-9]{0,19})$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\0-\x1f]/;
const ONLY_SPACES = /^ +$/;

/** Reads lowercase hex of an exact length in bytes. Throws {@link InvalidLaneTupleError} with the field. */
export function hexBytes(value: unknown, field: string, length: number): Buffer {
  if (typeof value !== "string" || value.length !== length * 2 || !HEX.test(value)) {
    throw new InvalidLaneTupleError(field, `expected ${length} bytes of lowercase hex`);
  }
  return Buffer.from(value, "hex");
}

/** Reads an integer of 32 bits, `least` or more. Throws {@link InvalidLaneTupleError} with the field. */
export function u32Value(value: unknown, field: string, least = 0): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= MAX_U32) return value;
  throw new InvalidLaneTupleError(field, `expected an integer from ${least} to ${MAX_U32}`);
}

/** Reads an integer of 64 bits, `least` or more, from its decimal text. Throws {@link InvalidLaneTupleError}. */
export function u64Value(value: unknown, field: string, least = 0n): bigint {
  const number = typeof value === "string" && U64_TEXT.test(value) ? BigInt(value) : -1n;
  if (number >= least && number <= MAX_U64) return number;
  throw new InvalidLaneTupleError(field, `expected a decimal text of ${least} to ${MAX_U64}`);
}

/** Checks well-formed text. Throws {@link InvalidLaneTupleError} with the field. */
export function text(value: unknown, field: string): string {
  if (typeof value === "string" && value.isWellFormed()) return value;
  throw new InvalidLaneTupleError(field, "expected well-formed text");
}

/** Checks a hook's id: well-formed text that is not empty. Throws {@link InvalidLaneTupleError} (`hook_id`). */
export function hookId(value: unknown): string {
  if (value === "") throw new InvalidLaneTupleError("hook_id", "a hook's id is not empty");
  return text(value, "hook_id");
}

/**
 * Checks a name: well-formed text of 1 to `most` bytes, without U+0000 to U+001F, not only spaces. Throws
 * {@link InvalidLaneTupleError} with the field.
 */
export function name(value: unknown, field: string, most: number): string {
  const checked = text(value, field);
  const bytes = Buffer.byteLength(checked, "utf8");
  if (bytes < 1 || bytes > most || CONTROL.test(checked) || ONLY_SPACES.test(checked)) {
    throw new InvalidLaneTupleError(
      field,
      `expected text of 1 to ${most} bytes, no control character, not only spaces`,
    );
  }
  return checked;
}

/** Checks an object that has all of these names, and none beside them that is not null. */
export function record(value: unknown, field: string, names: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InvalidLaneTupleError(field, `expected an object of ${names.join(", ")}`);
  }
  const given = Object.entries(value).filter(([, part]) => part !== null && part !== undefined);
  if (given.length !== names.length || !given.every(([key]) => names.includes(key))) {
    throw new InvalidLaneTupleError(field, `expected exactly ${names.join(", ")}`);
  }
  return value as Readonly<Record<string, unknown>>;
}
