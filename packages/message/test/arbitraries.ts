import { createHash } from "node:crypto";
import fc from "fast-check";
import {
  type Claim,
  type EncodedMessage,
  encodeMessage,
  type HeaderPair,
  type Hook,
  type PublishContext,
  type Verification,
} from "../src/index.js";

/** Texts on which languages, parsers and canonical writers differ. */
const EDGES = [
  "",
  "__proto__",
  "constructor",
  "toString",
  "0",
  "7",
  "\u0000",
  "\u001f\u007f\u0080",
  "\u2028\u2029",
  "\ufeff",
  "\ufffe\uffff",
  "\ud7ff\ue000",
  "\u{10000}\u{10ffff}",
  '"\\/\b\f\n\r\t',
  "\u212a\u017f\u0130",
  "a:b",
  "default",
] as const;

/** Any text that UTF-8 can carry. */
export const text: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme-ascii" }),
  fc.constantFrom(...EDGES),
);

/** Any UTF-16, often with a lone surrogate somewhere. */
export const utf16: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.integer({ min: 0xd7fe, max: 0xe001 }), fc.integer({ min: 0, max: 0xffff })), { maxLength: 12 })
  .map((units) => String.fromCharCode(...units));

/** Text, null or absent. */
export const optionalText: fc.Arbitrary<string | null | undefined> = fc.oneof(text, fc.constantFrom(null, undefined));

export const bytes: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc.uint8Array({ maxLength: 48 }),
  fc.uint8Array({ maxLength: 600, size: "large" }),
);

/** Header names: any text, real ones in any case, ones that are never forwarded. */
export const headerName: fc.Arbitrary<string> = fc.oneof(
  text,
  fc.constantFrom("X-Hub-Signature", "x-hub-signature", "X-GitHub-Event", "Kind", "\u212aind"),
  fc.constantFrom("Authorization", "COOKIE", "Content-Type", "x-ankusa-Id", "X-ANKUSA-", "TE", "te "),
);

export const headers: fc.Arbitrary<HeaderPair[]> = fc.array(fc.tuple(headerName, text), { maxLength: 10 });

export const verification: fc.Arbitrary<Verification> = fc.record({
  status: fc.constantFrom("ok", "failed", "skipped"),
  flagged: fc.boolean(),
});

export const hook: fc.Arbitrary<Hook> = fc.record({
  id: text.filter((id) => id !== ""),
  source_id: text,
  tenant_id: optionalText,
  received_at: fc.maxSafeInteger(),
  content_type: optionalText,
  body: bytes,
  dedupe_key: optionalText,
  headers: fc.oneof(headers, fc.constantFrom(null, undefined)),
  verification: fc.oneof(verification, fc.constantFrom(null, undefined)),
  traceparent: optionalText,
  tracestate: optionalText,
});

export const context: fc.Arbitrary<PublishContext> = fc.record({
  instance: optionalText,
  region: optionalText,
  replay_id: optionalText,
  ordering_key: optionalText,
  forward: fc.oneof(fc.constantFrom("default" as const, null, undefined), fc.array(headerName, { maxLength: 4 })),
  maxHeaders: fc.oneof(fc.constantFrom(null, undefined), fc.nat(8)),
  maxHeaderBytes: fc.oneof(fc.constantFrom(null, undefined), fc.nat(120)),
});

/** Tenants that may stand in a claim reference. */
export const claimTenant: fc.Arbitrary<string> = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);
export const claimId: fc.Arbitrary<string> = fc.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);

/** The claim of a body under a v1 reference. */
export function claimOf(body: Uint8Array, tenant: string, id: string): Claim {
  return { ref: `urn:ankusa:claim:v1:${tenant}:${id}`, sha256: sha256(body) };
}

export function sha256(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("hex");
}

/** A hook and its context with the message that they make. */
export interface Encoded {
  readonly given: Hook;
  readonly publish: PublishContext;
  readonly message: EncodedMessage;
}

/** Valid messages in both forms. The claim's tenant is the hook's; an empty body always rides inline. */
export const encoded: fc.Arbitrary<Encoded> = fc
  .tuple(hook, context, fc.boolean(), claimTenant, claimId)
  .map(([given, publish, inline, tenant, id]) => {
    if (inline || given.body.length === 0) return { given, publish, message: encodeMessage(given, publish) };
    const owned = { ...given, tenant_id: tenant };
    const options = { inlineMaxBytes: given.body.length - 1, claim: claimOf(given.body, tenant, id) };
    return { given: owned, publish, message: encodeMessage(owned, publish, options) };
  });

export const encodedBytes: fc.Arbitrary<Uint8Array> = encoded.map(({ message }) => message.bytes);

export function utf8(input: string): Uint8Array {
  return new TextEncoder().encode(input);
}

export function fromUtf8(input: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(input);
}

/** Chooses one of so many, from 0. */
export type Pick = (choices: number) => number;

/** What {@link walk} walks along: one list that decides every choice, prints and shrinks as a whole. */
export const choices: fc.Arbitrary<number[]> = fc.array(fc.nat(1023), { minLength: 1, maxLength: 64 });

export function walk(numbers: readonly number[]): Pick {
  let at = 0;
  return (count) => (numbers[at++ % numbers.length] as number) % count;
}

/** Writes a JSON value in one of its many spellings: order of names, white space, escapes and number forms vary. */
export function respell(value: unknown, pick: Pick): string {
  const space = (): string => ["", "", "", " ", "\n", "\t\r"][pick(6)] as string;
  if (typeof value === "string") return `"${[...value].map((char) => respellChar(char, pick)).join("")}"`;
  if (Number.isSafeInteger(value)) return respellInteger(value as number, pick);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => space() + respell(item, pick) + space()).join(",")}]`;
  const members = Object.entries(value);
  for (let i = members.length - 1; i > 0; i--) {
    const j = pick(i + 1);
    [members[i], members[j]] = [members[j] as [string, unknown], members[i] as [string, unknown]];
  }
  const written = members.map(
    ([name, item]) => `${space()}${respell(name, pick)}${space()}:${space()}${respell(item, pick)}${space()}`,
  );
  return `{${written.join(",") || space()}}`;
}

function respellChar(char: string, pick: Pick): string {
  const plain = JSON.stringify(char).slice(1, -1);
  if (pick(4) !== 0) return plain;
  if (char === "/") return "\\/";
  const escapes = char.split("").map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return pick(2) === 0 ? escapes.join("") : escapes.join("").replace(/[a-f0-9]{4}/g, (digits) => digits.toUpperCase());
}

function respellInteger(value: number, pick: Pick): string {
  const forms = [String(value), `${value}.0`, `${value}e0`, `${value}E+00`, `${value}.000e-0`];
  return value === 0 ? (["0", "-0", "0.0", "0e5", "-0.0E-3"][pick(5)] as string) : (forms[pick(5)] as string);
}
