import type { DecodeErrorCode } from "./errors.js";

/** Why something cannot be read: what an error would say, at none of its cost. Checks return it in the value's place. */
export class Failure<Code extends string = DecodeErrorCode> {
  readonly code: Code;
  readonly field: string | null;
  readonly retryable = false;
  /** The reason in words; it never quotes the input. */
  readonly message: string;

  constructor(code: Code, field: string | null, message: string) {
    this.code = code;
    this.field = field;
    this.message = message;
  }
}

/** Builds the failure of one field. */
export function invalidField(field: string, expected: string): Failure {
  return new Failure("invalid_field", field, `${field}: expected ${expected}`);
}

/** Builds the failure of an input that is no strict JSON text. */
export function invalidJson(reason: string): Failure {
  return new Failure("invalid_json", null, reason);
}
