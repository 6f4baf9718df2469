import { activeCases } from "../load-suite.js";
import type { ConformanceSuite, Json, JsonObject } from "../types.js";

/** Vectors over this many characters are left to the suite itself: they would cost more than they find. */
const LONGEST_INPUT = 8_192;

/** Known inputs to start from, by operation. */
export interface Corpus {
  /** Every operation that has a vector, with its suite. */
  readonly suiteOf: ReadonlyMap<string, string>;
  readonly inputs: ReadonlyMap<string, readonly JsonObject[]>;
  /** Packs that vectors read or write, as base64. */
  readonly packs: readonly string[];
}

/** Collects what the vectors hold. */
export function collectCorpus(suite: ConformanceSuite): Corpus {
  const suiteOf = new Map<string, string>();
  const inputs = new Map<string, JsonObject[]>();
  const packs = new Set<string>();
  for (const { suite: name, operation, input, expect } of activeCases(suite)) {
    suiteOf.set(operation, name);
    const known = inputs.get(operation) ?? [];
    inputs.set(operation, known);
    if (JSON.stringify(input).length > LONGEST_INPUT) continue;
    known.push(input);
    for (const pack of [input["pack_base64"], member(expect.ok, "pack_base64")]) {
      if (typeof pack === "string" && pack.length <= LONGEST_INPUT) packs.add(pack);
    }
  }
  return { suiteOf, inputs, packs: [...packs] };
}

function member(value: Json | undefined, name: string): Json | undefined {
  return typeof value === "object" && value !== null ? (value as JsonObject)[name] : undefined;
}
