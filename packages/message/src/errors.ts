import { ownFields } from "./own.js";

const BRAND: unique symbol = Symbol.for("sinkwire.error") as never;
const DOCS = "https://github.com/sinkwire/sinkwire/blob/main/docs/errors/";

/** Sets a property that is not listed, also where Error.prototype is frozen or Object.prototype was polluted. */
function hide(error: Error, name: PropertyKey, value: unknown): void {
  Object.defineProperty(error, name, {
    __proto__: null,
    value,
    configurable: true,
    writable: true,
  } as PropertyDescriptor);
}

/** What every error of the product carries. */
export interface ErrorDetails {
  /** The top-level wire name at fault, where the code has one. */
  readonly field?: string | null;
  /** Whether the same call may succeed later. Default false. */
  readonly retryable?: boolean;
  /** The first cause. */
  readonly cause?: unknown;
}

/** Base of every error of the product. Recognise one with {@link isSinkwireError}: two copies may be loaded. */
export class SinkwireError extends Error {
  /** One of `schemas/error-codes.json`. */
  readonly code: string;
  /** The top-level wire name at fault, or null. */
  readonly field: string | null;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    const { field, retryable, cause } = ownFields(details) as ErrorDetails;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.field = field ?? null;
    this.retryable = retryable ?? false;
    hide(this, "name", new.target.name);
    hide(this, BRAND, true);
  }

  /** The page that says what to do about this code. */
  get docs(): string {
    return `${DOCS}${this.code}.md`;
  }
}

/** Why bytes are not a message. */
export type DecodeErrorCode =
  | "invalid_json"
  | "not_an_object"
  | "unsupported_version"
  | "invalid_field"
  | "ambiguous_body"
  | "missing_body"
  | "invalid_body_base64"
  | "size_mismatch"
  | "integrity"
  | "tenant_mismatch";

/** Bytes that are not a message. Permanent: the same bytes never decode. */
export class InvalidMessageError extends SinkwireError {
  declare readonly code: DecodeErrorCode;
  constructor(code: DecodeErrorCode, message: string, details: ErrorDetails = {}) {
    super(code, message, details);
  }
}

/** A hook, context, limit or option that cannot be used; `field` names it as the wire does. Permanent. */
export class InvalidHookError extends SinkwireError {
  declare readonly code: "invalid_hook";
  declare readonly field: string;
  constructor(field: string, message: string, details: ErrorDetails = {}) {
    super("invalid_hook", `${field}: ${message}`, { ...details, field });
  }
}

/** A body or message over a limit that no form can bring it under. Permanent. */
export class MessageTooLargeError extends SinkwireError {
  declare readonly code: "message_too_large";
  /** Bytes that were counted. */
  readonly size: number;
  /** Bytes that are allowed. */
  readonly limit: number;
  constructor(size: number, limit: number, what = "message") {
    super("message_too_large", `the ${what} takes ${size} bytes and the limit is ${limit}`);
    this.size = size;
    this.limit = limit;
  }
}

/** What is wrong with a claim. */
export type ClaimErrorCode =
  | "claim_required"
  | "invalid_claim_ref"
  | "claim_not_found"
  | "claim_rejected"
  | "claim_integrity"
  | "claim_check_unavailable"
  | "tenant_mismatch";

/** A claim that is missing, malformed, foreign or cannot be redeemed. */
export class ClaimError extends SinkwireError {
  declare readonly code: ClaimErrorCode;
  constructor(code: ClaimErrorCode, message: string, details: ErrorDetails = {}) {
    super(code, message, details);
  }
}

/**
 * Tells whether a value is an error of this product, from any loaded copy of it.
 *
 * @param error - anything, as a `catch` gives it
 * @param code - when given, the error must carry this code
 * @returns true when it is; never throws
 */
export function isSinkwireError(error: unknown, code?: string): error is SinkwireError {
  if (typeof error !== "object" || error === null) return false;
  try {
    const candidate = error as Record<PropertyKey, unknown>;
    return candidate[BRAND] === true && (code === undefined || candidate["code"] === code);
  } catch {
    return false;
  }
}
