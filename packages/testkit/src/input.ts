import type { Claim, EncodeOptions, Hook, PublishContext, SizeLimits } from "@sinkwire/message";

/** An operation's input, its `{"$utf16": …}` strings expanded. A value may have any type: vectors try wrong ones. */
export type OperationInput = Readonly<Record<string, unknown>>;

/** An operation of the conformance suites: gives the `ok` of a vector, or throws the product's error. */
export type Operation = (input: OperationInput) => unknown;

/** A hook, its body as bytes. */
export function hook(value: unknown): Hook {
  return withBody(value) as unknown as Hook;
}

/** Valid base64 becomes the bytes; what is not is passed on as it is, for the library to refuse. */
export function withBody(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { body_base64: body, ...rest } = value;
  return { ...rest, body: typeof body === "string" && base64(bytes(body)) === body ? bytes(body) : body };
}

/** A publish context, under this API's names. */
export function context(value: unknown): PublishContext {
  if (!isObject(value)) return value as PublishContext;
  const { max_headers: maxHeaders, max_header_bytes: maxHeaderBytes, ...rest } = value;
  return { ...rest, maxHeaders, maxHeaderBytes } as PublishContext;
}

/** Limits and claim, as `encodeMessage` takes them. */
export function options(input: OperationInput): EncodeOptions {
  const given = limits(input) ?? {};
  return isObject(given) ? { ...given, claim: input["claim"] as Claim } : given;
}

/** Limits, under this API's names; what is no object is passed on as it is. */
export function limits(input: OperationInput): SizeLimits | null | undefined {
  const value = input["limits"];
  if (!isObject(value)) return value as SizeLimits | null | undefined;
  return { inlineMaxBytes: value["inline_max_bytes"], maxBytes: value["max_bytes"] } as SizeLimits;
}

/** The bytes of base64. */
export function bytes(text: unknown): Uint8Array {
  return Buffer.from(text as string, "base64");
}

/** Bytes as base64. */
export function base64(value: Uint8Array): string {
  return Buffer.from(value).toString("base64");
}

/** Whether a value is an object, and no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
