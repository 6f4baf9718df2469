import type { MetadataPair } from "@sinkwire/delivery";

/**
 * The headers of a message, in order: text and bytes as they are, numbers and booleans as text. Tables and lists, such as
 * the `x-death` of the broker, are left out.
 */
export function headerPairs(headers: Readonly<Record<string, unknown>> | undefined): readonly MetadataPair[] {
  return Object.entries(headers ?? {}).flatMap(([name, value]): MetadataPair[] => {
    if (typeof value === "string" || value instanceof Uint8Array) return [[name, value]];
    return typeof value === "object" || value === undefined ? [] : [[name, String(value)]];
  });
}
