import { expandUtf16, type JsonObject } from "@sinkwire/conformance";
import { isSinkwireError } from "@sinkwire/message";
import { operations } from "./dispatch.js";
import type { OperationInput } from "./input.js";

/** What the runner answers to one request, its id apart. */
export type OperationAnswer =
  | { readonly ok: unknown }
  | {
      readonly error: {
        readonly code: string;
        readonly field: string | null;
        readonly retryable: boolean;
        readonly text: string;
      };
    }
  | { readonly unsupported: true };

/**
 * Performs one operation of the vectors.
 *
 * @param operation - its name in the vectors
 * @param input - as the vector has it
 * @returns its answer; an error that is not the product's is answered as the code `internal`, which no vector expects
 */
export async function answer(operation: string, input: JsonObject): Promise<OperationAnswer> {
  const perform = operations.get(operation);
  if (perform === undefined) return { unsupported: true };
  try {
    return { ok: await perform(expandUtf16(input) as OperationInput) };
  } catch (error) {
    if (!isSinkwireError(error))
      return { error: { code: "internal", field: null, retryable: false, text: String(error) } };
    const { code, field, retryable, message: text } = error;
    return { error: { code, field, retryable, text } };
  }
}
