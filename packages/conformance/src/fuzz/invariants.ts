import { createHash } from "node:crypto";
import { describeDifference } from "../outcome.js";
import type { Json, JsonObject, Outcome } from "../types.js";

/** A question that an accepted answer raises: another request, and what its answer has to be. */
export interface FollowUp {
  readonly operation: string;
  readonly input: JsonObject;
  /** What is wrong with the answer, in words; null when it is as it has to be. */
  readonly judge: (outcome: Outcome) => string | null;
}

/** What has to hold of an answer whatever the input was. */
interface Invariant {
  readonly problem?: (input: JsonObject, ok: JsonObject) => string | null;
  readonly followUps?: (input: JsonObject, ok: JsonObject) => readonly FollowUp[];
}

/** What is wrong with an accepted answer by itself, or null. */
export function problemOf(operation: string, input: JsonObject, ok: Json): string | null {
  if (!isObject(ok)) return "an ok is an object";
  return INVARIANTS.get(operation)?.problem?.(input, ok) ?? null;
}

/** What an accepted answer lets one ask next. */
export function followUpsOf(operation: string, input: JsonObject, ok: Json): readonly FollowUp[] {
  return isObject(ok) ? (INVARIANTS.get(operation)?.followUps?.(input, ok) ?? []) : [];
}

const same =
  (what: string, expected: Json) =>
  (outcome: Outcome): string | null => {
    const difference = describeDifference({ ok: expected }, outcome);
    return difference === null ? null : `${what}: ${difference}`;
  };

/** Compares the members that are expected and no others. */
const holds =
  (what: string, expected: JsonObject) =>
  (outcome: Outcome): string | null => {
    if (outcome.error !== undefined) return `${what}: refused as ${outcome.error.code}`;
    const ok = outcome.ok as JsonObject;
    const chosen = Object.fromEntries(Object.keys(expected).map((name) => [name, ok[name] ?? null]));
    return same(what, expected)({ ok: chosen });
  };

/** Canonical bytes have to serialize to themselves. */
const serializesToItself = (bytes: Json): FollowUp => ({
  operation: "serialize_message",
  input: { bytes_base64: bytes },
  judge: same("canonical bytes serialize to themselves", { message_base64: bytes }),
});

const readsAs = (pairs: Json, expected: JsonObject): FollowUp => ({
  operation: "read_metadata",
  input: { pairs },
  judge: holds("a metadata set reads back", { ...expected, problems: [] }),
});

const INVARIANTS: ReadonlyMap<string, Invariant> = new Map<string, Invariant>([
  [
    "decode_message",
    {
      problem: (_, ok) => {
        if ((ok["body_base64"] === null) === (ok["claim"] === null)) return "one of the two body forms";
        if (typeof ok["body_base64"] !== "string")
          return typeof ok["sha256"] === "string" ? null : "a claim has a digest";
        const body = Buffer.from(ok["body_base64"], "base64");
        if (body.length !== ok["size"]) return "size is the body's";
        const digest = createHash("sha256").update(body).digest("hex");
        return ok["sha256"] === null || ok["sha256"] === digest ? null : "sha256 is the body's";
      },
      followUps: ({ bytes_base64, max_bytes }, ok) =>
        max_bytes === undefined
          ? [
              {
                operation: "serialize_message",
                input: { bytes_base64: bytes_base64 ?? "" },
                judge: (outcome) =>
                  outcome.error === undefined ? null : `what decodes serializes: ${outcome.error.code}`,
              },
              {
                operation: "idempotency_key",
                input: { message: pick(ok, ["id", "source_id", "tenant_id", "dedupe_key", "idempotency_key"]) },
                judge: (outcome) =>
                  outcome.error === undefined ? null : `what decodes has a key: ${outcome.error.code}`,
              },
            ]
          : [],
    },
  ],
  [
    "serialize_message",
    {
      followUps: (_, ok) => [serializesToItself(ok["message_base64"] ?? null)],
    },
  ],
  [
    "encode_message",
    {
      followUps: ({ hook, context, limits }, ok) => {
        const { id, source_id, received_at } = hook as JsonObject;
        const bytes = ok["message_base64"] ?? null;
        return [
          serializesToItself(bytes),
          {
            operation: "decode_message",
            input: { bytes_base64: bytes },
            judge: holds(
              "what encodes decodes",
              pick({ id, source_id, received_at } as JsonObject, ["id", "source_id", "received_at"]),
            ),
          },
          {
            operation: "plan_message",
            input: { hook: hook ?? null, context: context ?? null, limits: limits ?? null },
            judge: same("the plan is the form that was encoded", { form: ok["form"] ?? null }),
          },
        ];
      },
    },
  ],
  [
    "forward_headers",
    {
      problem: ({ max_headers, max_header_bytes }, ok) => {
        const kept = ok["headers"] as readonly (readonly [string, string])[];
        const size = kept.reduce((sum, pair) => sum + Buffer.byteLength(pair[0]) + Buffer.byteLength(pair[1]), 0);
        if (kept.length > Number(max_headers ?? 64)) return "no more than max_headers";
        if (size > Number(max_header_bytes ?? 16_384)) return "no more than max_header_bytes";
        if (new Set(kept.map(([name]) => name)).size !== kept.length) return "every name once";
        return kept.some(([name]) => /[A-Z]|^(authorization|cookie|host|te)$|^x-ankusa-/.test(name))
          ? "a forbidden name"
          : null;
      },
      followUps: ({ max_headers, max_header_bytes }, ok) => [
        {
          operation: "forward_headers",
          input: {
            headers: ok["headers"] ?? null,
            max_headers: max_headers ?? null,
            max_header_bytes: max_header_bytes ?? null,
          },
          judge: same("what was forwarded is forwarded", {
            headers: ok["headers"] ?? null,
            dropped: { count: 0, bytes: 0 },
          }),
        },
      ],
    },
  ],
  [
    "parse_claim_ref",
    {
      followUps: ({ ref }, ok) => [
        {
          operation: "format_claim_ref",
          input: pick(ok, ["version", "tenant_id", "claim_id", "exp", "sig"]),
          judge: same("what parses formats to itself", { ref: ref ?? null }),
        },
      ],
    },
  ],
  [
    "format_claim_ref",
    {
      followUps: ({ version, tenant_id, claim_id, exp, sig }, ok) => [
        {
          operation: "parse_claim_ref",
          input: { ref: ok["ref"] ?? null },
          judge: holds("what formats parses to its parts", {
            version: version ?? null,
            tenant_id: tenant_id ?? null,
            claim_id: claim_id ?? null,
            exp: exp ?? null,
            sig: sig ?? null,
          }),
        },
      ],
    },
  ],
  [
    "claim_id_parts",
    {
      followUps: ({ tenant_id }, { timestamp_ms = null, pack_id = null, object_key = null }) => [
        {
          operation: "claim_id_parts",
          input: { claim_id: pack_id, tenant_id: tenant_id ?? null },
          judge: same("a pack id is the claim id of position 0", { timestamp_ms, position: 0, pack_id, object_key }),
        },
      ],
    },
  ],
  [
    "write_pack",
    {
      followUps: ({ claims }, ok) => {
        const written = claims as readonly JsonObject[];
        const pack_base64 = ok["pack_base64"] ?? null;
        return [
          ...written.map(({ body_base64 = null }, position) => ({
            operation: "read_claim",
            input: { pack_base64, position },
            judge: same("what was packed can be read", { body_base64 }),
          })),
          {
            operation: "read_claim",
            input: { pack_base64, position: written.length },
            judge: ({ error }: Outcome) =>
              error?.code === "claim_not_found" ? null : "past the index nothing is found",
          },
        ];
      },
    },
  ],
  ["headers_set", { followUps: ({ hook }, { pairs = null }) => [readsAs(pairs, pick(hook as JsonObject, ["id"]))] }],
  ["attributes_set", { followUps: ({ hook }, { pairs = null }) => [readsAs(pairs, pick(hook as JsonObject, ["id"]))] }],
  [
    "read_metadata",
    {
      problem: (_, { problems, ...fields }) => {
        if (!Array.isArray(problems)) return "problems is a list";
        return Object.values(fields).every((value) => value === null || (typeof value === "string" && value !== ""))
          ? null
          : "a value is null or a text that is not empty";
      },
    },
  ],
  [
    "read_delivery",
    {
      followUps: ({ bytes_base64 }, ok) =>
        ok["kind"] === "message"
          ? [
              {
                operation: "decode_message",
                input: { bytes_base64: bytes_base64 ?? null },
                judge: holds("a delivered message decodes", { id: ok["id"] ?? null }),
              },
            ]
          : [],
    },
  ],
]);

function pick(value: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, value[name] ?? null]));
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
