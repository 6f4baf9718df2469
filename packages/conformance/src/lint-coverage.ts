import type { ErrorCode } from "./load-error-codes.js";
import { PRECEDENCE_PAIRS } from "./precedence-pairs.js";
import type { Rule } from "./rules.js";
import type { LoadedCase } from "./types.js";

/** Every rule that a case names exists; every rule has an accepted and a refused case, unless marked otherwise. */
export function lintRules(cases: readonly LoadedCase[], rules: readonly Rule[]): readonly string[] {
  const problems: string[] = [];
  const known = new Set<string>();
  for (const { id, sides } of rules) {
    if (known.has(id)) problems.push(`rule ${id} is there twice`);
    known.add(id);
    const own = cases.filter((one) => one.rule === id);
    const refused = own.some(isRefusal);
    const accepted = own.some((one) => !isRefusal(one));
    if (sides === "both" && !accepted) problems.push(`rule ${id} has no accepted case`);
    if (sides === "both" && !refused)
      problems.push(`rule ${id} has no refused case, and is not marked (one-sided: why)`);
    if (sides === "one" && own.length === 0) problems.push(`rule ${id} has no case`);
    if (sides === "one" && accepted && refused) problems.push(`rule ${id} is marked one-sided and has cases from both`);
    if (sides === "none" && own.length > 0) problems.push(`rule ${id} is marked as not a vector and has cases`);
  }
  const unknown = cases.filter((one) => !known.has(one.rule));
  return [...problems, ...unknown.map((one) => `${one.id} names rule ${one.rule}, which the README does not have`)];
}

/** Every code that an operation of the suites present can give is reached by a case. */
export function lintCodes(cases: readonly LoadedCase[], codes: readonly ErrorCode[]): readonly string[] {
  const present = new Set(cases.map((one) => one.operation));
  const reached = new Set(cases.map((one) => one.expect.error?.code));
  return codes
    .filter(({ code, operations }) => !reached.has(code) && operations.some((operation) => present.has(operation)))
    .map(({ code, operations }) => `no case expects ${code}, which ${operations.join(", ")} can give`);
}

/** Every two faults of a decode that can meet have a case tagged `precedence` and `over:<the loser>`. */
export function lintPrecedence(cases: readonly LoadedCase[]): readonly string[] {
  const decodes = cases.filter((one) => one.operation === "decode_message");
  const covered = new Set(
    decodes
      .filter((one) => one.tags?.includes("precedence"))
      .flatMap((one) => losersOf(one).map((loser) => `${one.expect.error?.code} over ${loser}`)),
  );
  const pairs = Object.entries(PRECEDENCE_PAIRS).flatMap(([code, losers]) =>
    losers.map((loser) => `${code} over ${loser}`),
  );
  const wanted = decodes.length === 0 ? [] : pairs;
  const stray = cases.filter((one) => losersOf(one).length > 0 !== (one.tags?.includes("precedence") ?? false));
  return [
    ...wanted.filter((pair) => !covered.has(pair)).map((pair) => `no precedence case for ${pair}`),
    ...stray.map((one) => `${one.id}: the tags precedence and over:<code> go together`),
  ];
}

function losersOf(one: LoadedCase): readonly string[] {
  return (one.tags ?? []).filter((tag) => tag.startsWith("over:")).map((tag) => tag.slice("over:".length));
}

/** Reading metadata refuses nothing; its problems are the other side of its rules. */
function isRefusal({ expect }: LoadedCase): boolean {
  if (expect.error !== undefined) return true;
  const problems = (expect.ok as { readonly problems?: unknown } | null)?.problems;
  return Array.isArray(problems) && problems.length > 0;
}
