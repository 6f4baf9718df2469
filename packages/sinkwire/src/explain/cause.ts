import { tryDecodeMessage } from "@sinkwire/message";

/** A likely cause of a refusal. */
export interface Cause {
  /** What was seen, in words. */
  readonly what: string;
  /** What to do about it. */
  readonly todo: string;
  /** The bytes that were probably meant, when they can be had. */
  readonly inner?: Uint8Array;
}

/** How much bytes look like a message: 2 they are one, 1 a JSON object that means to be one, 0 neither. */
export function likeness(bytes: Uint8Array, maxBytes: number): 0 | 1 | 2 {
  if (tryDecodeMessage(bytes, { maxBytes }).ok) return 2;
  return looksLikeMessage(parseJson(Buffer.from(bytes).toString())) ? 1 : 0;
}

/** Whether a parsed value means to be a message. */
export function looksLikeMessage(value: unknown): boolean {
  return isObject(value) && Object.hasOwn(value, "v") && Object.hasOwn(value, "source_id");
}

/** A parsed JSON text, undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a parsed value is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The bytes of base64 or base64url text, null when it is neither. */
export function fromAnyBase64(text: string): Uint8Array | null {
  return text === "" || /[^A-Za-z0-9+/_=-]/.test(text) ? null : Buffer.from(text, "base64");
}

/** What a parsed value is, in words: `a string`, `null`. */
export function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
