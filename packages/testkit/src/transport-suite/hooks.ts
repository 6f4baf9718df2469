import { createHash } from "node:crypto";
import { type Claim, formatClaimRef, type Hook, type PublishContext } from "@sinkwire/message";
import type { Transport } from "./types.js";

/** A hook that is sent through every transport. */
export interface SuiteHook {
  readonly name: string;
  readonly hook: (transport: Transport) => Hook;
  readonly context?: PublishContext;
  readonly form: "inline" | "claim";
}

/** A hook with a body of so many bytes. */
export function plainHook(id: string, bodyBytes = 100): Hook {
  return {
    id,
    source_id: "orders",
    tenant_id: "acme",
    received_at: 1_760_000_000_000,
    body: Buffer.alloc(bodyBytes, "x"),
  };
}

/** A claim of a hook's body, in a store that nobody asks. */
export function claimOf(hook: Hook): Claim {
  const place = { tenant_id: "acme", claim_id: "01ARZ3NDEKTSV4RRFFQ69G5FAV", exp: null, sig: null };
  return {
    ref: formatClaimRef({ version: 1, ...place }),
    sha256: createHash("sha256").update(hook.body).digest("hex"),
  };
}

/** A hook whose inline message takes exactly the transport's limit, or so many bytes more: its content type fills it up. */
function edgeHook(transport: Transport, moreBytes: number): Hook {
  const of = (filler: number): Hook => ({ ...plainHook("evt_edge", 60_000), content_type: "x".repeat(filler + 1) });
  return of(transport.maxBytes - transport.encode(of(0), null, null).size + moreBytes);
}

/** Every kind of message that has to arrive as it was sent. */
export const HOOKS: readonly SuiteHook[] = [
  { name: "an inline body", form: "inline", hook: () => plainHook("evt_inline") },
  { name: "an empty body", form: "inline", hook: () => plainHook("evt_empty", 0) },
  { name: "a body of every byte", form: "inline", hook: () => ({ ...plainHook("evt_bytes"), body: everyByte() }) },
  { name: "a claim", form: "claim", hook: ({ maxBytes }) => plainHook("evt_claim", maxBytes) },
  { name: "a message of exactly the limit", form: "inline", hook: (transport) => edgeHook(transport, 0) },
  { name: "a message of one byte over the limit", form: "claim", hook: (transport) => edgeHook(transport, 1) },
  { name: "no tenant", form: "inline", hook: () => ({ ...plainHook("evt_no_tenant"), tenant_id: null }) },
  {
    name: "ids, keys and headers that are not ASCII",
    form: "inline",
    hook: () => ({
      ...plainHook("evt_ü_日本_🎉"),
      source_id: "quelle-ß",
      tenant_id: "mandant-é",
      dedupe_key: "schlüssel 🔑",
      headers: [["x-name", "Zoë"]],
    }),
    context: { ordering_key: "kunde/ö", replay_id: "replay-ñ" },
  },
  {
    name: "values that header lines cannot carry",
    form: "inline",
    hook: () => ({
      ...plainHook(" evt\r\nInjected: yes\0\t"),
      source_id: "orders\n\n+OK",
      tenant_id: "\u00a0acme\ufeff",
      dedupe_key: "\u0001\u001f\ud7ff\ufffe",
    }),
    context: { replay_id: " replay\r\n " },
  },
];

function everyByte(): Buffer {
  return Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
}
