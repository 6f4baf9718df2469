import { hash } from "node:crypto";
import type { HeaderPair, Hook, PublishContext } from "@sinkwire/message";

/** How many bytes well-formed text takes in UTF-8. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

/**
 * Bytes of name-value pairs.
 *
 * @param pairs - what is sent
 * @param each - bytes that the transport counts for a pair beside its name and value. Default 0
 */
export function pairsLength(pairs: readonly HeaderPair[], each = 0): number {
  return pairs.reduce((sum, [name, value]) => sum + utf8Length(name) + utf8Length(value) + each, 0);
}

/**
 * What stands for an id that a broker cannot carry: equal ids stay equal and different ones different.
 *
 * @param value - the id
 * @returns `sha256:` and the lowercase hex digest of its UTF-8 bytes
 */
export function sha256Form(value: string): string {
  return `sha256:${hash("sha256", value, "hex")}`;
}

/** The ordering key of a context; null when there is none, `""` included. */
export function orderingKey(context: PublishContext | null | undefined): string | null {
  return context?.ordering_key || null;
}

/** The key of a hook without one of its own: `<tenant>/<source>`, `/<source>` without a tenant. */
export function sourceKey(hook: Pick<Hook, "source_id" | "tenant_id">): string {
  return `${hook.tenant_id ?? ""}/${hook.source_id}`;
}
