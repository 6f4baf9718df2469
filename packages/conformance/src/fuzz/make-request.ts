import type { RunnerRequest } from "../take-turn.js";
import type { JsonObject } from "../types.js";
import type { Corpus } from "./corpus.js";
import type { InputCheck } from "./input-check.js";
import { makeContext, makeHook } from "./make-hook.js";
import { MAKERS } from "./make-inputs.js";
import { mutateInput } from "./mutate-input.js";
import { Random } from "./random.js";

/** Weight of an operation that is known from its vectors alone. */
const VECTORS_ONLY_WEIGHT = 4;
/** Tries to edit an input before it is used as it is. */
const TRIES = 4;

/** One choice of an operation per unit of weight. */
export function wheelOf(corpus: Corpus, operations: readonly string[]): readonly string[] {
  return operations.flatMap((operation) => {
    const weight =
      MAKERS.get(operation)?.weight ?? ((corpus.inputs.get(operation) ?? []).length > 0 ? VECTORS_ONLY_WEIGHT : 0);
    return Array.from({ length: weight }, () => operation);
  });
}

/**
 * The input number `index` of a run. Depends on the seed, the index, the vectors and the operations, on nothing else.
 */
export function makeRequest(
  seed: number,
  index: number,
  corpus: Corpus,
  wheel: readonly string[],
  fits: InputCheck,
): RunnerRequest {
  const random = new Random(seed, index);
  const operation = random.pick(wheel);
  const known = corpus.inputs.get(operation) ?? [];
  const maker = MAKERS.get(operation);
  const useVector = known.length > 0 && (maker === undefined || random.oneIn(3));
  let input =
    useVector || maker === undefined ? mutateVector(random, known, operation, fits) : maker.make(random, corpus);
  if (!useVector && random.oneIn(6)) input = edit(random, input, operation, fits);
  return { id: String(index), operation, input };
}

function mutateVector(random: Random, known: readonly JsonObject[], operation: string, fits: InputCheck): JsonObject {
  let input = random.pick(known);
  if (random.oneIn(3)) input = crossOver(random, input, random.pick(known), operation, fits);
  if ("hook" in input && random.oneIn(3)) input = { ...input, hook: makeHook(random) };
  if ("context" in input && random.oneIn(3)) input = { ...input, context: makeContext(random) };
  for (let edits = random.oneIn(2) ? 1 : random.between(1, 3); edits > 0; edits--)
    input = edit(random, input, operation, fits);
  return input;
}

/** Takes one member over from another vector of the operation. */
function crossOver(
  random: Random,
  input: JsonObject,
  other: JsonObject,
  operation: string,
  fits: InputCheck,
): JsonObject {
  const name = random.pick(Object.keys(other));
  const crossed = { ...input, [name]: other[name] ?? null };
  return fits(operation, crossed) ? crossed : input;
}

function edit(random: Random, input: JsonObject, operation: string, fits: InputCheck): JsonObject {
  for (let tries = 0; tries < TRIES; tries++) {
    const edited = mutateInput(random, input);
    if (fits(operation, edited)) return edited;
  }
  return input;
}
