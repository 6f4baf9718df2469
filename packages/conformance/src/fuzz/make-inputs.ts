import type { Json, JsonObject } from "../types.js";
import type { Corpus } from "./corpus.js";
import { makeClaimId, makeClaimRef, makeClaimTenant, mutateClaimRef } from "./make-claim.js";
import { makeContext, makeEncodeInput, makeForwarding, makeHeaders, makeHook, optional } from "./make-hook.js";
import { makeMessage } from "./make-message.js";
import { makePairs } from "./make-pairs.js";
import { mutateBytes } from "./mutate-bytes.js";
import type { Random } from "./random.js";
import { carry, makeUtf16 } from "./texts.js";

/** Makes an input of one operation from nothing but choices; the corpus holds what cannot be made so. */
export interface InputMaker {
  /** How often the operation is chosen, against the other weights. */
  readonly weight: number;
  readonly make: (random: Random, corpus: Corpus) => JsonObject;
}

const text = (random: Random): Json => carry(makeUtf16(random));
const message = (random: Random): Json => makeMessage(random).toString("base64");
const ref = (random: Random): string =>
  random.oneIn(2) ? mutateClaimRef(random, makeClaimRef(random)) : makeClaimRef(random);

/** The operations that have a maker. Any other operation that has vectors is fuzzed by mutations of those. */
export const MAKERS: ReadonlyMap<string, InputMaker> = new Map<string, InputMaker>([
  [
    "decode_message",
    {
      weight: 36,
      make: (random) => ({
        bytes_base64: message(random),
        ...(random.oneIn(20) ? { max_bytes: random.between(0, 900) } : {}),
      }),
    },
  ],
  ["serialize_message", { weight: 8, make: (random) => ({ bytes_base64: message(random) }) }],
  ["encode_message", { weight: 14, make: (random) => makeEncodeInput(random, true) }],
  ["plan_message", { weight: 5, make: (random) => makeEncodeInput(random, false) }],
  [
    "idempotency_key",
    {
      weight: 3,
      make: (random) => ({
        message: {
          ...(random.oneIn(20) ? {} : { id: text(random), source_id: text(random) }),
          ...optional(random, ["tenant_id", "dedupe_key", "replay_id", "idempotency_key"], text),
        },
        ...optional(random, ["include_replay"], () => random.oneIn(3)),
      }),
    },
  ],
  ["delivery_id", { weight: 2, make: (random) => ({ id: text(random), ...optional(random, ["replay_id"], text) }) }],
  ["forward_headers", { weight: 7, make: (random) => ({ headers: makeHeaders(random), ...makeForwarding(random) }) }],
  ["parse_claim_ref", { weight: 5, make: (random) => ({ ref: carry(ref(random)) }) }],
  [
    "format_claim_ref",
    {
      weight: 3,
      make: (random) => {
        const [, , , version = "", tenant_id = "", claim_id = "", exp = null, sig = null] = ref(random).split(":");
        const number = Number(version.slice(1));
        return {
          version: Number.isFinite(number) && !random.oneIn(16) ? number : carry(version),
          tenant_id: carry(tenant_id),
          claim_id: carry(claim_id),
          exp: exp === null ? null : carry(exp),
          sig: sig === null ? null : carry(sig),
        };
      },
    },
  ],
  [
    "claim_id_parts",
    {
      weight: 3,
      make: (random) => {
        const [claim_id, tenant_id] = [makeClaimId(random), makeClaimTenant(random)];
        return random.oneIn(3)
          ? { claim_id: carry(mutateClaimRef(random, claim_id)), tenant_id: carry(mutateClaimRef(random, tenant_id)) }
          : { claim_id, tenant_id };
      },
    },
  ],
  [
    "write_pack",
    {
      weight: 3,
      make: (random) => {
        const pack = makeClaimId(random).slice(0, 22);
        return {
          claims: random
            .list(random.below(4), () => null)
            .map((_, position) => ({
              claim_id: `${pack}${position === 0 || !random.oneIn(30) ? `000${position}` : "0009"}`,
              id: text(random),
              ...optional(random, ["content_type"], text),
              received_at: random.between(-5, 2_000_000_000_000),
              body_base64: random.bytes(random.length(40)).toString("base64"),
            })),
        };
      },
    },
  ],
  [
    "read_claim",
    {
      weight: 5,
      make: (random, { packs }) => {
        let pack = packs.length === 0 ? random.bytes(80) : Buffer.from(random.pick(packs), "base64");
        if (random.oneIn(3)) pack = Buffer.from(mutateBytes(random, pack));
        if (random.oneIn(3) && pack.length > 60) pack.writeUInt8(random.below(256), random.below(60));
        return {
          pack_base64: pack.toString("base64"),
          position: random.oneIn(5) ? random.pick([-1, 65_535, 65_536, 255, 0.5]) : random.below(4),
        };
      },
    },
  ],
  ["headers_set", { weight: 2, make: (random) => ({ hook: makeHook(random), context: makeContext(random) }) }],
  ["attributes_set", { weight: 2, make: (random) => ({ hook: makeHook(random), context: makeContext(random) }) }],
  ["read_metadata", { weight: 7, make: (random) => ({ pairs: makePairs(random) }) }],
  [
    "read_delivery",
    {
      weight: 7,
      make: (random) => {
        const bytes = makeMessage(random);
        return {
          pairs: makePairs(random, bytes),
          bytes_base64: random.oneIn(20) ? null : bytes.toString("base64"),
        };
      },
    },
  ],
]);
