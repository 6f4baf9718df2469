import { createHash } from "node:crypto";
import type { Json, JsonObject } from "../types.js";
import { makeClaimRef, makeClaimTenant, mutateClaimRef } from "./make-claim.js";
import type { Random } from "./random.js";
import { carry, makeUtf16, mutateText } from "./texts.js";

const HEADER_NAMES = [
  "Authorization",
  "cookie",
  "Content-Type",
  "X-API-Key",
  "x-ankusa-id",
  "X-Ankusa-",
  "x-ankusa",
  "TE",
  "te ",
  "Host",
  "X-Hub-Signature-256",
  "x-hub-signature-256",
  "X-GITHUB-EVENT",
  "\u212aind",
  "kind",
  "KIND",
  "x-\u0130",
] as const;

const text = (random: Random): Json => carry(makeUtf16(random));

/** Some of the names with a value or null; the others are left out. */
export function optional(random: Random, names: readonly string[], make: (random: Random) => Json): JsonObject {
  const given = names.filter(() => !random.oneIn(3));
  return Object.fromEntries(given.map((name) => [name, random.oneIn(5) ? null : make(random)]));
}

/** Header pairs: any name, real names in any case, names that are never forwarded. */
export function makeHeaders(random: Random): Json[] {
  const name = (): Json => {
    if (random.oneIn(3)) return text(random);
    const known = random.pick(HEADER_NAMES);
    return random.oneIn(8) ? carry(mutateText(random, known)) : known;
  };
  return random.list(random.length(12), () => [name(), text(random)]);
}

/** `forward` and the caps. */
export function makeForwarding(random: Random): JsonObject {
  const names = (): Json => makeHeaders(random).map((pair) => (pair as readonly Json[])[0] as Json);
  return {
    ...optional(random, ["forward"], () => (random.oneIn(2) ? "default" : names())),
    ...optional(random, ["max_headers"], () => random.below(6)),
    ...optional(random, ["max_header_bytes"], () => random.below(80)),
  };
}

/** A hook that is mostly valid. */
export function makeHook(random: Random, tenant?: string): JsonObject {
  const hook: JsonObject = {
    id: text(random),
    source_id: text(random),
    ...(tenant === undefined ? optional(random, ["tenant_id"], text) : { tenant_id: tenant }),
    received_at: random.oneIn(10) ? random.pick([0, -1, 2 ** 53 - 1, -(2 ** 53) + 1]) : random.between(0, 2 ** 41),
    ...optional(random, ["content_type"], text),
    body_base64: random.bytes(random.length(300)).toString("base64"),
    ...optional(random, ["dedupe_key"], text),
    ...optional(random, ["headers"], makeHeaders),
    ...optional(random, ["verification"], () => ({
      status: random.pick(["ok", "failed", "skipped"]),
      flagged: random.oneIn(2),
    })),
    ...optional(random, ["traceparent", "tracestate"], text),
  };
  if (!random.oneIn(12)) return hook;
  const name = random.pick(Object.keys(hook));
  return { ...hook, [name]: random.pick<Json>([null, "", 0, 1.5, true, [], {}, 2 ** 53, "AA", "AB==", [["a"]]]) };
}

/** A publish context that is mostly valid. */
export function makeContext(random: Random): JsonObject {
  const names = ["instance", "region", "replay_id", "ordering_key"];
  return { ...optional(random, names, text), ...makeForwarding(random) };
}

/** Hook, context, limits near the sizes of small messages and, where asked for, a claim that mostly fits. */
export function makeEncodeInput(random: Random, withClaim: boolean): JsonObject {
  const ref = makeClaimRef(random);
  const hook = makeHook(random, random.oneIn(3) ? undefined : (ref.split(":")[4] ?? makeClaimTenant(random)));
  const body = hook["body_base64"];
  const digest = createHash("sha256")
    .update(typeof body === "string" ? Buffer.from(body, "base64") : "")
    .digest("hex");
  const claim = {
    ref: carry(random.oneIn(8) ? mutateClaimRef(random, ref) : ref),
    sha256: random.oneIn(12) ? carry(mutateText(random, digest)) : digest,
  };
  return {
    hook,
    ...(random.oneIn(6) ? {} : { context: makeContext(random) }),
    ...(random.oneIn(6) ? {} : { limits: makeLimits(random) }),
    ...(withClaim && !random.oneIn(3) ? { claim } : {}),
  };
}

function makeLimits(random: Random): JsonObject {
  return {
    ...optional(random, ["inline_max_bytes"], () => random.below(random.oneIn(2) ? 8 : 320)),
    ...optional(random, ["max_bytes"], () => random.between(0, 1_400)),
  };
}
