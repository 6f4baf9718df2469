import { isUtf8 } from "node:buffer";
import { claimIdParts } from "@sinkwire/claim-check";
import { deliveryId, idempotencyKey, type Message, parseClaimRef, serializeMessage } from "@sinkwire/message";
import { quoted, shown } from "../io/style.js";
import { lookalike, unknownNames } from "./field-causes.js";

/** What a message says, and what is unusual about it. */
export interface Description {
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly notes: readonly string[];
}

/**
 * Describes a decoded message for people.
 *
 * @param message - the message
 * @param bytes - as it came
 * @param text - the same, as text
 */
export function describeMessage(message: Message, bytes: Uint8Array, text: string): Description {
  const { body, verification } = message;
  const unless = (value: string | null): string => (value === null || value === "" ? "–" : shown(value));
  const facts: (readonly [string, string])[] = [
    ["version", String(message.v)],
    ["id", shown(message.id)],
    ["source", shown(message.source_id)],
    ["tenant", message.tenant_id === null ? "–" : shown(message.tenant_id)],
    ["received", when(message.received_at)],
    ["body", `${message.size} bytes, ${body.form}, ${unless(message.content_type)}`],
    ...(body.form === "claim" ? claimFacts(body.ref) : []),
    ["sha256", unless(message.sha256)],
    ["verification", verification === null ? "–" : `${verification.status}${verification.flagged ? ", flagged" : ""}`],
    ["headers", headerList(message.headers)],
    ["dedupe key", unless(message.dedupe_key)],
    ["idempotency key", shown(idempotencyKey(message))],
    ["delivery id", shown(deliveryId(message))],
    ["ordering key", unless(message.ordering_key)],
    ["trace", unless(message.traceparent)],
    [
      "published by",
      [message.instance, message.region]
        .filter((part) => part !== null && part !== "")
        .map(String)
        .map((part) => shown(part))
        .join(" in ") || "–",
    ],
  ];
  return { facts, notes: [...unknownNotes(text), ...notes(message, bytes)] };
}

function claimFacts(ref: string): (readonly [string, string])[] {
  const { version, tenant_id, claim_id, path, exp } = parseClaimRef(ref);
  const { timestamp_ms, position } = claimIdParts(claim_id, tenant_id);
  return [
    [
      "claim",
      `version ${version}, checked in ${when(timestamp_ms)}, position ${position}${exp === null ? "" : `, expires ${when(Number(exp) * 1000)}`}`,
    ],
    ["redeem at", path],
  ];
}

function unknownNotes(text: string): string[] {
  return unknownNames(JSON.parse(text)).map((name) => {
    const meant = lookalike(name);
    const hint = meant === null ? "" : ` It looks like ${meant}, but names match exactly.`;
    return `The name ${quoted(name)} is unknown: decoders ignore it and serializeMessage does not keep it.${hint}`;
  });
}

function notes(message: Message, bytes: Uint8Array): string[] {
  const computed = idempotencyKey({ ...message, idempotency_key: null });
  const shipped = message.idempotency_key;
  const { body, received_at, verification } = message;
  const found = [
    [verification?.flagged === true, "It is flagged: a failed check was let through. Treat the hook as unverified."],
    [verification?.status === "failed" && !verification.flagged, "Its verification failed."],
    [
      message.replay_id !== null && message.replay_id !== "",
      "It is a deliberate replay: the same idempotency key comes again, the delivery id does not.",
    ],
    [message.sha256 === null, "It carries no sha256: a body altered on the way cannot be told."],
    [shipped === null || shipped === "", "It ships no idempotency key: consumers compute it."],
    [
      shipped !== null && shipped !== "" && shipped !== computed,
      `Its idempotency key is not the one that its fields give (${quoted(computed)}). Consumers use the shipped one.`,
    ],
    [received_at > 0 && received_at < 1e11, "received_at is early in 1970–1973: seconds instead of milliseconds?"],
    [received_at > 1e14, "received_at is after the year 5138: micro- or nanoseconds instead of milliseconds?"],
    [
      !isCanonical(message, bytes),
      "Its bytes are not the canonical ones: another encoder wrote it, or something wrote its JSON anew. That is no fault.",
    ],
  ] as const;
  return [
    ...found.filter(([applies]) => applies).map(([, note]) => note),
    ...(body.form === "inline" ? bodyNotes(body.bytes, message) : []),
  ];
}

/** White space at the end is not counted: files end with a newline. */
function isCanonical(message: Message, bytes: Uint8Array): boolean {
  const given = Buffer.from(bytes);
  const canonical = serializeMessage(message);
  return (
    given.subarray(0, canonical.length).equals(canonical) && given.toString("latin1", canonical.length).trim() === ""
  );
}

function bodyNotes(body: Uint8Array, { content_type, headers }: Message): string[] {
  if (body[0] === 0x1f && body[1] === 0x8b) {
    const encoded = Object.entries(headers).some(
      ([name, value]) => name.toLowerCase() === "content-encoding" && value.includes("gzip"),
    );
    return [
      `The body is gzip${encoded ? ", as its content-encoding says: unpack it after the decode" : ", and no content-encoding says so"}.`,
    ];
  }
  if (content_type === null || !/^application\/(?:[\w.+-]+\+)?json\b/i.test(content_type)) return [];
  try {
    if (!isUtf8(body)) throw new SyntaxError();
    JSON.parse(Buffer.from(body).toString());
    return [];
  } catch {
    return [
      `Its content type is ${quoted(content_type)}, but the body is no JSON. The message is good: the body is the provider's.`,
    ];
  }
}

function headerList(headers: Message["headers"]): string {
  const names = Object.keys(headers);
  const first = names
    .slice(0, 8)
    .map((part) => shown(part))
    .join(", ");
  return names.length === 0 ? "none" : `${names.length}: ${first}${names.length > 8 ? ", …" : ""}`;
}

function when(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? `${ms} (beyond any calendar)` : `${date.toISOString()} (${ms})`;
}
