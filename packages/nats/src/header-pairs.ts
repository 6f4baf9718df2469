import type { MetadataPair } from "@sinkwire/delivery";
import type { NatsHeaders } from "./from.js";

/** Every name and value of the client's headers, in order. */
export function headerPairs(headers: NatsHeaders | undefined): readonly MetadataPair[] {
  if (headers === undefined) return [];
  return Array.from(headers.keys(), (name) => headers.values(name).map((value) => [name, value] as const)).flat();
}
