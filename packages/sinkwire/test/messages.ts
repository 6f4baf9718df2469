import { type EncodeOptions, encodeMessage, type Hook } from "@sinkwire/message";

/** A hook with a small JSON body. */
export const HOOK: Hook = {
  id: "evt_1",
  source_id: "github",
  tenant_id: "acme",
  received_at: 1_737_500_000_000,
  content_type: "application/json",
  body: Buffer.from('{"action": "opened"}'),
  headers: [["X-GitHub-Event", "issues"]],
  verification: { status: "ok", flagged: false },
};

/** The canonical message of {@link HOOK} with changes. */
export function message(changes: Partial<Hook> = {}, options: EncodeOptions = {}): Buffer {
  return Buffer.from(encodeMessage({ ...HOOK, ...changes }, null, options).bytes);
}

/** The message of {@link HOOK} with other values on the wire, which need not make sense; undefined takes a name out. */
export function altered(changes: Readonly<Record<string, unknown>>): Buffer {
  return Buffer.from(JSON.stringify({ ...JSON.parse(message().toString()), ...changes }));
}
