import type { MetadataPair } from "@sinkwire/delivery";
import { REDIS_FIELD } from "./to.js";

/** A stream entry, as the server replies it. */
export type Entry = readonly [id: Buffer, fields: readonly Buffer[] | null];

/** The entries of a reply to `XREADGROUP` of one stream: a list of pairs in RESP 2, a map in RESP 3, null for none. */
export function entriesOfRead(reply: unknown): readonly Entry[] {
  if (reply === null || reply === undefined) return [];
  if (Array.isArray(reply)) return listOf(Array.isArray(reply[0]) ? reply[0][1] : reply[1]);
  const [entries] = reply instanceof Map ? reply.values() : Object.values(reply);
  return listOf(entries);
}

/** Cursor and entries of a reply to `XAUTOCLAIM`; servers before 7 list deleted ones as null. */
export function entriesOfClaim(reply: unknown): { readonly cursor: string; readonly entries: readonly Entry[] } {
  const [cursor, entries] = listOf(reply);
  return { cursor: String(cursor), entries: listOf(entries) };
}

/** The fields of an entry beside the message, with their values. */
export function entryPairs([, fields]: Entry): readonly MetadataPair[] {
  const pairs: MetadataPair[] = [];
  for (let i = 0; i + 1 < (fields?.length ?? 0); i += 2) {
    const name = String(fields?.[i]);
    if (name !== REDIS_FIELD) pairs.push([name, fields?.[i + 1] ?? ""]);
  }
  return pairs;
}

/** How often an entry was delivered, of a reply to `XPENDING` of it; null when it is not pending. */
export function deliveryCount(reply: unknown): number | null {
  const [pending] = listOf(reply);
  return pending === undefined ? null : Number(pending[3]);
}

/** A list of the server's, whose shape is that of the command's documentation. */
function listOf(value: unknown): readonly never[] {
  return Array.isArray(value) ? (value.filter((item: unknown) => item !== null) as never[]) : [];
}
