import { isUtf8 } from "node:buffer";
import { type DecodeErrorCode, type Message, parseClaimRef, SinkwireError, tryDecodeMessage } from "@sinkwire/message";
import { quoted } from "../io/style.js";
import { base64Causes, integrityCauses, sizeCauses } from "./body-causes.js";
import { byteCauses, isWide } from "./byte-causes.js";
import { type Cause, isObject, kindOf } from "./cause.js";
import { describeMessage } from "./describe-message.js";
import { envelopeCauses } from "./envelope-causes.js";
import { fieldCauses, misspelt } from "./field-causes.js";
import { findInvalidUtf8, type Place, placeOf } from "./place.js";
import { BYTE_RULES, ruleOf } from "./rules.js";
import { type JsonScan, scanJson } from "./scan-json.js";
import { invalidUtf8Cause } from "./utf8-causes.js";

/** How deep wrappings are taken off, one in the other. */
const MOST_WRAPPINGS = 4;

/** A refusal as `explain` shows it. */
export interface Refusal {
  readonly code: DecodeErrorCode;
  readonly field: string | null;
  /** Of `conformance/README.md`. */
  readonly rule: string;
  /** The decoder's reason. */
  readonly reason: string;
  /** The page that says what to do. */
  readonly docs: string;
  /** Where in the bytes, when it can be told. */
  readonly place: Place | null;
  /** Where in the value: `headers.x-a`. */
  readonly path: string | null;
}

/** What can be said about bytes. */
export interface Explanation {
  readonly verdict: "message" | "refused";
  /** How many bytes were looked at. */
  readonly bytes: number;
  /** Why it is no message; null for a message. */
  readonly refusal: Refusal | null;
  /** Likely causes of the refusal, most likely first, each with what to do. */
  readonly causes: readonly Pick<Cause, "what" | "todo">[];
  /** What a message says, as labels and values. */
  readonly facts: readonly (readonly [label: string, value: string])[];
  /** What is unusual about a message and worth a look. */
  readonly notes: readonly string[];
  /** What the first cause found inside. */
  readonly inner: Explanation | null;
  /** The line of the fault around its place, for people; null when there is no place in text. */
  readonly excerpt: { readonly text: string; readonly caret: number } | null;
}

/**
 * Says what bytes are: a message, with what it says; or why not, which rule, where, the likely cause and what to do.
 *
 * @param bytes - anything
 * @param maxBytes - largest message
 */
export function explainBytes(bytes: Uint8Array, maxBytes: number, wrappings = 0): Explanation {
  const result = tryDecodeMessage(bytes, { maxBytes });
  if (result.ok) {
    const text = Buffer.from(bytes).toString();
    const nothing = { refusal: null, causes: [], inner: null, excerpt: null };
    return { verdict: "message", bytes: bytes.length, ...nothing, ...describeMessage(result.message, bytes, text) };
  }
  const { code, field, message: reason } = result.error;
  if (code === "invalid_hook") throw new TypeError(reason);
  const found =
    code === "invalid_json"
      ? lookIntoBytes(bytes, maxBytes)
      : lookIntoValue(Buffer.from(bytes).toString(), code, field, maxBytes);
  const { docs } = new SinkwireError(code, reason);
  const within = found.causes.find(({ inner }) => inner !== undefined)?.inner;
  return {
    verdict: "refused",
    bytes: bytes.length,
    refusal: {
      ...{ code, field, rule: found.rule ?? ruleOf(code, field, found.present), reason: found.reason ?? reason, docs },
      ...{ place: found.place, path: found.path },
    },
    causes: found.causes.map(({ what, todo }) => ({ what, todo })),
    facts: [],
    notes: [],
    inner: within === undefined || wrappings >= MOST_WRAPPINGS ? null : explainBytes(within, maxBytes, wrappings + 1),
    excerpt: found.excerpt,
  };
}

interface Finding {
  readonly place: Place | null;
  readonly path: string | null;
  readonly causes: readonly Cause[];
  readonly excerpt: Explanation["excerpt"];
  /** A better reason than the decoder's. */
  readonly reason: string | null;
  /** A closer rule than the code's. */
  readonly rule: string | null;
  /** Whether the field at fault is there. */
  readonly present: boolean;
}

function lookIntoBytes(bytes: Uint8Array, maxBytes: number): Finding {
  const nothing: Finding = {
    ...{ place: null, path: null, causes: [], excerpt: null },
    ...{ reason: null, rule: null, present: false },
  };
  if (bytes.length > maxBytes) {
    const todo = "Is it one message at all? For one a line: `sinkwire decode --ndjson`. Otherwise raise --max-bytes.";
    return { ...nothing, rule: BYTE_RULES.size, causes: [{ what: `There are more than ${maxBytes} bytes.`, todo }] };
  }
  const causes = byteCauses(bytes, maxBytes);
  if (isUtf8(bytes)) return { ...nothing, ...lookIntoText(bytes, causes) };

  const at = findInvalidUtf8(bytes) ?? 0;
  const hex = Buffer.from(bytes.subarray(at, at + 4))
    .toString("hex")
    .replace(/(..)(?=.)/g, "$1 ");
  return {
    ...nothing,
    place: placeOf(Buffer.from(bytes.subarray(0, at)).toString(), at),
    causes: causes.length > 0 ? causes : [invalidUtf8Cause(bytes, at)],
    reason: `the bytes ${hex} at offset ${at} are not UTF-8`,
    rule: bytes[0] === 0 ? BYTE_RULES.zero : isWide(bytes) ? BYTE_RULES.encoding : BYTE_RULES.utf8,
  };
}

function lookIntoText(bytes: Uint8Array, causes: readonly Cause[]): Partial<Finding> {
  const text = Buffer.from(bytes).toString();
  const { fault } = scanJson(text);
  if (fault === null || bytes.length === 0) return { causes };
  const { at, what, todo, path, firstAt } = fault;
  const where = { place: placeOf(text, at), path: path === "" ? null : path, excerpt: excerptOf(text, at) };
  if (bytes[0] === 0) return { ...where, causes, rule: BYTE_RULES.zero };
  const own = todo === null ? [] : [{ what: sentence(what), todo: sentence(todo) }];
  const first = firstAt === null ? "" : `; the first time at byte ${placeOf(text, firstAt).byte}`;
  const rule = text.startsWith("\ufeff") || isWide(bytes) ? BYTE_RULES.encoding : fault.rule;
  return { ...where, causes: [...causes, ...own], reason: `${what}${first}`, rule };
}

function lookIntoValue(text: string, code: DecodeErrorCode, field: string | null, maxBytes: number): Finding {
  const value: unknown = JSON.parse(text);
  const scan = scanJson(text);
  const subject = field ?? SUBJECT[code] ?? null;
  const at = subject === null ? undefined : scan.members.get(subject)?.valueAt;
  return {
    place: at === undefined ? null : placeOf(text, at),
    path: subject,
    causes: valueCauses(value, code, field, maxBytes, scan),
    excerpt: at === undefined || code === "invalid_body_base64" ? null : excerptOf(text, at),
    reason: null,
    rule: null,
    present: at !== undefined,
  };
}

/** The name to point at for codes that name no field. */
const SUBJECT: Readonly<Partial<Record<DecodeErrorCode, string>>> = {
  unsupported_version: "v",
  invalid_body_base64: "body_base64",
  ambiguous_body: "claim",
  size_mismatch: "size",
  integrity: "sha256",
  tenant_mismatch: "claim",
};

function valueCauses(
  value: unknown,
  code: DecodeErrorCode,
  field: string | null,
  maxBytes: number,
  scan: JsonScan,
): Cause[] {
  if (!isObject(value)) {
    const causes = envelopeCauses(value, maxBytes);
    return causes.length > 0
      ? causes
      : [{ what: `It is JSON, but ${kindOf(value)}.`, todo: "A message is one JSON object." }];
  }
  switch (code) {
    case "unsupported_version": {
      const causes = envelopeCauses(value, maxBytes);
      return causes.length > 0 ? causes : versionCauses(value, scan.members.size);
    }
    case "invalid_field":
      return fieldCauses(value, field ?? "");
    case "ambiguous_body":
      return [
        {
          what: "A body is inline or a claim, never both.",
          todo: "Take out body_base64 when the body was checked in, else claim.",
        },
      ];
    case "missing_body": {
      const other = misspelt(value, "body_base64") ?? misspelt(value, "claim");
      const what = other === null ? "The body is not there, or null." : `There is ${quoted(other)} instead.`;
      return [{ what, todo: 'Write body_base64 (the empty body is "") or claim.' }];
    }
    case "invalid_body_base64":
      return base64Causes(value["body_base64"]);
    case "size_mismatch":
      return sizeCauses(Number(value["size"]), String(value["body_base64"]));
    case "integrity":
      return integrityCauses(String(value["sha256"]), String(value["body_base64"]));
    case "tenant_mismatch":
      return tenantCauses(String(value["tenant_id"]), String(value["claim"]));
    default:
      return [];
  }
}

function versionCauses(value: Readonly<Record<string, unknown>>, names: number): Cause[] {
  const v = value["v"];
  if (typeof v === "string" && ["1", "2"].includes(v))
    return [{ what: `v is text: ${quoted(v)}.`, todo: `Write the number ${v}.` }];
  if (typeof v === "number" && Number.isInteger(v) && v > 2) {
    return [{ what: `It says version ${v}, newer than this decoder.`, todo: "Upgrade the consumer." }];
  }
  if (v !== undefined) return [{ what: `v is ${typeof v === "number" ? v : kindOf(v)}.`, todo: "Write 1." }];
  const other = misspelt(value, "v");
  if (other !== null) return [{ what: `There is no v, but there is ${quoted(other)}.`, todo: "Write it as v." }];
  if (looksEncoded(value))
    return [{ what: "There is no v: the rest is there.", todo: 'Every message says its version: write "v": 1.' }];
  const what =
    names === 0
      ? "The object is empty."
      : "None of a message's envelope is there: it may be a provider's own payload that was never encoded.";
  return [{ what, todo: "Encode it before it is published: `sinkwire encode`, or encodeMessage." }];
}

/** Whether an object has what every encoder writes beside `v`. */
function looksEncoded(value: Readonly<Record<string, unknown>>): boolean {
  return ["id", "source_id", "received_at"].every((name) => Object.hasOwn(value, name));
}

function tenantCauses(tenant: string, claim: string): Cause[] {
  const other: Message["tenant_id"] = parseClaimRef(claim).tenant_id;
  const sameButCase = other.toLowerCase() === tenant.toLowerCase();
  return [
    {
      what: `The message is ${quoted(tenant)}'s and the claim ${quoted(other)}'s${sameButCase ? ": only the case differs" : ""}.`,
      todo: sameButCase
        ? "Tenants are case-sensitive: write it in one way."
        : "Do not redeem it: look how the producer came to mix two tenants.",
    },
  ];
}

/** Characters that an excerpt shows on each side. */
const CONTEXT = 36;

function excerptOf(text: string, at: number): Explanation["excerpt"] {
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const lineEnd = text.indexOf("\n", at);
  const from = Math.max(lineStart, at - CONTEXT);
  const to = Math.min(lineEnd === -1 ? text.length : lineEnd, at + CONTEXT);
  const lead = from > lineStart ? "…" : "";
  return {
    text: lead + text.slice(from, to) + (to < (lineEnd === -1 ? text.length : lineEnd) ? "…" : ""),
    caret: lead.length + at - from,
  };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
}
