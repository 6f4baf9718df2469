import { quoted } from "../io/style.js";
import { type Cause, kindOf } from "./cause.js";

type Fields = Readonly<Record<string, unknown>>;

/** Every name of a message on the wire. */
const NAMES: readonly string[] = [
  ...["v", "id", "source_id", "tenant_id", "received_at", "content_type", "size", "dedupe_key", "replay_id"],
  ...["idempotency_key", "verification", "headers", "traceparent", "tracestate", "instance", "region", "ordering_key"],
  ...["sha256", "body_base64", "claim"],
];
/** Other names that people give to these fields. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  v: ["version", "schema_version"],
  id: ["message_id", "hook_id", "event_id", "uuid"],
  source_id: ["source"],
  tenant_id: ["tenant"],
  received_at: ["timestamp", "created_at", "received", "time", "ts"],
  size: ["length", "content_length", "body_size"],
  sha256: ["digest", "checksum", "hash"],
  body_base64: ["body", "payload", "data"],
  claim: ["claim_ref", "claim_check"],
};

/** Names in the object that are no names of a message. */
export function unknownNames(value: Fields): string[] {
  return Object.keys(value).filter((name) => !NAMES.includes(name));
}

/** The name in the object that was probably meant to be `name`: another spelling or a usual synonym. */
export function misspelt(value: Fields, name: string): string | null {
  const wanted = [name, ...(SYNONYMS[name] ?? [])].map(plain);
  return unknownNames(value).find((other) => wanted.includes(plain(other))) ?? null;
}

/** Which known name an unknown one looks like, null when like none. */
export function lookalike(name: string): string | null {
  return NAMES.find((known) => plain(known) === plain(name)) ?? null;
}

/**
 * Why a field may have been refused.
 *
 * @param value - the message, as parsed
 * @param field - the refused field
 */
export function fieldCauses(value: Fields, field: string): Cause[] {
  const given = Object.hasOwn(value, field) ? value[field] : undefined;
  const causes = [ABSENT, ...(OF_FIELD[field] ?? []), TEXT];
  for (const look of causes) {
    const cause = look(given, field, value);
    if (cause !== null) return [cause];
  }
  return [];
}

type Look = (given: unknown, field: string, value: Fields) => Cause | null;

const ABSENT: Look = (given, field, value) => {
  if (given !== undefined) return null;
  const other = misspelt(value, field);
  if (other !== null) {
    return {
      what: `There is no ${field}, but there is ${quoted(other)}.`,
      todo: `Names match exactly: write it as ${field}.`,
    };
  }
  const claim = field === "sha256" ? " Write the sha256 that the check-in gave together with the reference." : "";
  return { what: `There is no ${field}.`, todo: `Every message carries it.${claim}` };
};

const NUMBERS: Look = (given, field) => {
  if (typeof given === "string" && given.trim() !== "" && Number.isSafeInteger(Number(given))) {
    return { what: `It is a number in quotes: ${quoted(given)}.`, todo: "Write it without the quotes." };
  }
  if (typeof given !== "number") return null;
  if (field === "size" && given < 0)
    return { what: `It is negative: ${given}.`, todo: "Write the body's length in bytes." };
  if (!Number.isInteger(given)) return { what: `It has a fraction: ${given}.`, todo: "Write a whole number." };
  return {
    what: `It is over 2^53 - 1: ${given}.`,
    todo: field === "received_at" ? "Write milliseconds, not micro- or nanoseconds." : "No body is that large.",
  };
};

const DATES: Look = (given) => {
  if (typeof given !== "string" || !Number.isNaN(Number(given))) return null; // a number in quotes parses as a date, too
  const ms = Date.parse(given);
  if (Number.isNaN(ms)) return null;
  return { what: `It is a date as text: ${quoted(given)}.`, todo: `Write Unix milliseconds: ${ms}.` };
};

const FRACTIONAL_SECONDS: Look = (given) =>
  typeof given === "number" && !Number.isInteger(given) && given > 1e8 && given < 1e11
    ? {
        what: `It looks like seconds with a fraction: ${given}.`,
        todo: `Write whole milliseconds: ${Math.round(given * 1000)}.`,
      }
    : null;

const DIGESTS: Look = (given) => {
  if (given === null)
    return {
      what: "It is null.",
      todo: "Leave the name out of an inline message without a digest; a claim always has one.",
    };
  if (typeof given !== "string") return null;
  const hex = given.trim().toLowerCase();
  if (/^[0-9a-f]{64}$/.test(hex)) {
    return hex.length < given.length
      ? { what: "It has white space around it.", todo: "Take the white space away." }
      : { what: "It is written in upper case.", todo: "Write lowercase hex." };
  }
  const prefixed = /^sha-?256[:=-](.+)$/.exec(hex)?.[1];
  if (prefixed !== undefined)
    return { what: `It has a prefix before the digest: ${quoted(given)}.`, todo: "Write the 64 hex digits alone." };
  if (/^[A-Za-z0-9+/_-]{43}=?$/.test(given)) {
    return {
      what: "It is a digest in base64.",
      todo: `Write it as lowercase hex: ${Buffer.from(given, "base64").toString("hex")}.`,
    };
  }
  const other = { 32: "MD5", 40: "SHA-1", 96: "SHA-384", 128: "SHA-512" }[given.length];
  if (other !== undefined && /^[0-9a-f]+$/.test(hex))
    return { what: `It has the length of a ${other} digest.`, todo: "Write the SHA-256 of the body." };
  return {
    what: `It has ${given.length} characters: ${quoted(given)}.`,
    todo: "Write the SHA-256 of the body as 64 lowercase hex digits.",
  };
};

const HEADERS: Look = (given) => {
  if (given === null) return { what: "It is null.", todo: "Write {} or leave the name out." };
  if (Array.isArray(given))
    return {
      what: "It is a list.",
      todo: 'Write one object of strings; join the values of a repeated name with ", ".',
    };
  if (typeof given !== "object") return null;
  const wrong = Object.entries(given).find(([, item]) => typeof item !== "string");
  if (wrong === undefined) return null;
  const [name, item] = wrong;
  const join = Array.isArray(item) ? 'join the values with ", "' : "write it as a string, or leave the name out";
  return { what: `The value of ${quoted(name)} is ${kindOf(item)}.`, todo: `Every value is one string: ${join}.` };
};

const VERIFICATION: Look = (given) => {
  if (typeof given === "string" || typeof given === "boolean") {
    return { what: `It is ${kindOf(given)}.`, todo: 'Write {"status": "ok", "flagged": false}, or null.' };
  }
  if (typeof given !== "object" || given === null) return null;
  const { status, flagged } = given as Fields;
  if (!["ok", "failed", "skipped"].includes(status as string)) {
    const is = typeof status === "string" ? quoted(status) : kindOf(status);
    return { what: `Its status is ${is}.`, todo: 'The status is one of "ok", "failed" and "skipped".' };
  }
  return { what: `Its flagged is ${kindOf(flagged)}.`, todo: "flagged is true or false, without quotes." };
};

const CLAIMS: Look = (given) => {
  if (typeof given !== "string") return null;
  if (/^https?:/.test(given))
    return {
      what: "It is a URL.",
      todo: "Write the reference, urn:ankusa:claim:v1:<tenant>:<claim id>; the consumer knows its gateway.",
    };
  if (given.trim() !== given)
    return {
      what: "It has white space around it.",
      todo: "Take the white space away (a trailing newline of a file?).",
    };
  const [urn, space, kind, version, tenant = "", id = "", ...rest] = given.split(":");
  if (urn !== "urn" || space !== "ankusa" || kind !== "claim") {
    return {
      what: `It does not begin with urn:ankusa:claim: ${quoted(given)}.`,
      todo: "Write what the check-in gave, as it is.",
    };
  }
  if (version !== "v1" && version !== "v2")
    return {
      what: `Its version is ${quoted(version ?? "")}.`,
      todo: "Versions 1 and 2 are known: upgrade the consumer if the producer is newer.",
    };
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(tenant))
    return { what: `Its tenant is ${quoted(tenant)}.`, todo: "A claim's tenant is 1 to 64 of A-Z a-z 0-9 _ -." };
  if (!/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(id)) {
    if (/^[0-9a-f-]{36}$/i.test(id))
      return {
        what: "Its claim id is a UUID: an older form.",
        todo: "Check the body in again: claim ids are ULIDs now.",
      };
    if (id !== id.toUpperCase())
      return {
        what: "Its claim id has lowercase letters.",
        todo: "Write the ULID in upper case, as the check-in gave it.",
      };
    const letter = /[ILOU]/.exec(id)?.[0];
    if (letter !== undefined)
      return {
        what: `Its claim id holds the letter ${letter}, which no ULID has.`,
        todo: "Look whether 1, 0 or V was meant; ids are copied, never typed.",
      };
    return {
      what: `Its claim id is no ULID: ${quoted(id)}.`,
      todo: "A ULID has 26 characters and begins with 0 to 7.",
    };
  }
  const parts = version === "v1" ? "nothing" : "an expiry and a signature";
  return {
    what: `After the claim id come ${rest.length} further parts.`,
    todo: `Version ${version.slice(1)} has ${parts} there.`,
  };
};

const IDS: Look = (given) =>
  given === ""
    ? { what: "It is empty.", todo: "Give every hook an id that stays the same on every redelivery." }
    : null;

const OF_FIELD: Readonly<Record<string, readonly Look[]>> = {
  id: [IDS],
  received_at: [DATES, FRACTIONAL_SECONDS, NUMBERS],
  size: [NUMBERS],
  sha256: [DIGESTS],
  headers: [HEADERS],
  verification: [VERIFICATION],
  claim: [CLAIMS],
};

const TEXT: Look = (given, field) => {
  const scalar = typeof given === "number" || typeof given === "boolean" ? `: ${given}` : "";
  const todo =
    typeof given === "number" && field !== "headers"
      ? `Write it in quotes: "${given}".`
      : "Write what the rule asks for.";
  return { what: `It is ${kindOf(given)}${scalar}.`, todo };
};

function plain(name: string): string {
  return name.normalize("NFKC").toLowerCase().replaceAll(/[_-]/g, "");
}
