import type { ExpectedError, Json } from "./types.js";

/** What a runner says about one request. */
export type Answer =
  | { readonly kind: "ok"; readonly ok: Json }
  | { readonly kind: "error"; readonly error: ExpectedError }
  | { readonly kind: "unsupported" };

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads one line of a runner: `{"id", "ok"}`, `{"id", "error": {…}}` or `{"id", "unsupported": true}` and nothing else.
 *
 * @returns the id and the answer, or null for a line that is not an answer
 */
export function parseAnswer(line: Buffer): { readonly id: string; readonly answer: Answer } | null {
  const value = parseObject(line);
  if (value === null || Object.keys(value).length !== 2) return null;
  const { id } = value;
  if (typeof id !== "string") return null;
  if (Object.hasOwn(value, "ok")) return { id, answer: { kind: "ok", ok: value["ok"] as Json } };
  if (Object.hasOwn(value, "unsupported"))
    return value["unsupported"] === true ? { id, answer: { kind: "unsupported" } } : null;
  const error = value["error"];
  if (typeof error !== "object" || error === null || !Object.hasOwn(error, "code")) return null;
  return { id, answer: { kind: "error", error: error as ExpectedError } };
}

function parseObject(line: Buffer): { [name: string]: unknown } | null {
  try {
    const value: unknown = JSON.parse(utf8.decode(line));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as { [name: string]: unknown })
      : null;
  } catch {
    return null;
  }
}
