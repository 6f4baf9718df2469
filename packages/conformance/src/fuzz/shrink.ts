import type { RunnerRequest } from "../take-turn.js";
import type { Json, JsonObject } from "../types.js";
import { examine, type Finding } from "./examine.js";
import { type InputCheck, isCanonicalBase64 } from "./input-check.js";
import type { Panel } from "./panel.js";

/** How long one finding is shrunk, in milliseconds: one that kills its runner is slow to ask about. */
const BUDGET_MS = 15_000;
/** Most candidates in one round. */
const MAX_CANDIDATES = 400;
/** Most of them where every one may cost a start of the runner. */
const MAX_DEADLY_CANDIDATES = 24;

/**
 * Makes a finding's input smaller as long as the fault stays the same: chunks of bytes, members, elements and characters
 * are taken away, what is left is made plainer.
 */
export async function shrink(finding: Finding, panel: Panel, fits: InputCheck): Promise<Finding> {
  let best = finding;
  const isDeadly = Object.values(finding.answers).some((answer) => Object.hasOwn(Object(answer), "failed"));
  const deadline = performance.now() + BUDGET_MS;
  while (performance.now() < deadline) {
    const candidates = smallerInputs(best.input)
      .filter((input) => fits(best.operation, input))
      .slice(0, isDeadly ? MAX_DEADLY_CANDIDATES : MAX_CANDIDATES)
      .map((input, index): RunnerRequest => ({ id: String(index), operation: best.operation, input }));
    const { findings } = await examine(candidates, panel);
    const smaller = candidates
      .map(({ id }) => findings.get(id))
      .filter((found) => found?.signature === best.signature && sizeOf(found.input) < sizeOf(best.input))
      .sort((a, b) => sizeOf((a as Finding).input) - sizeOf((b as Finding).input))[0];
    if (smaller === undefined) return best;
    best = smaller;
  }
  return best;
}

/** Inputs that are smaller in one place, those that take most away first. */
function smallerInputs(input: JsonObject): readonly JsonObject[] {
  const candidates = [...smallerValues(input, null)] as JsonObject[];
  return candidates.sort((a, b) => sizeOf(a) - sizeOf(b));
}

function* smallerValues(value: Json, name: string | null): Generator<Json> {
  if (typeof value === "string") {
    if (name !== null && /(^|_)base64$/.test(name) && isCanonicalBase64(value)) yield* smallerBase64(value);
    else yield* cuts(value);
  } else if (typeof value === "number") {
    if (value !== 0) yield 0;
    if (Number.isInteger(value) && Math.abs(value) > 1) yield Math.trunc(value / 2);
  } else if (isList(value)) {
    for (const [start, end] of spans(value.length)) yield [...value.slice(0, start), ...value.slice(end)];
    for (const [index, item] of value.entries()) {
      for (const smaller of smallerValues(item, null)) yield value.with(index, smaller);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      yield Object.fromEntries(Object.entries(value).filter(([other]) => other !== key));
      if (item !== null) yield { ...value, [key]: null };
      for (const smaller of smallerValues(item, key)) yield { ...value, [key]: smaller };
    }
  }
}

function* cuts(text: string): Generator<string> {
  const characters = [...text];
  for (const [start, end] of spans(characters.length)) {
    yield characters.slice(0, start).join("") + characters.slice(end).join("");
  }
  for (const [index, character] of characters.entries()) {
    if (character > "a" && character !== "a") yield characters.with(index, "a").join("");
  }
}

function* smallerBase64(value: string): Generator<string> {
  const bytes = Buffer.from(value, "base64");
  for (const [start, end] of spans(bytes.length)) {
    yield Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]).toString("base64");
  }
  for (const smaller of smallerJson(bytes)) yield Buffer.from(JSON.stringify(smaller)).toString("base64");
}

/** Smaller values of the JSON that the bytes are, if they are; a message also with an empty body that fits. */
function* smallerJson(bytes: Buffer): Generator<Json> {
  let value: Json;
  try {
    value = JSON.parse(bytes.toString("utf8")) as Json;
  } catch {
    return;
  }
  yield* smallerValues(value, null);
  if (typeof value !== "object" || value === null || isList(value) || value["body_base64"] === "") return;
  const { body_base64, sha256, ...rest } = value;
  if (body_base64 !== undefined) yield { ...rest, size: 0, body_base64: "" };
}

/** Halves, quarters and so on down to single places. */
function* spans(length: number): Generator<readonly [number, number]> {
  for (let size = Math.ceil(length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < length; start += size) yield [start, Math.min(length, start + size)];
  }
}

function sizeOf(input: Json): number {
  return JSON.stringify(input).length;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
