// Runs in the browser: the same dispatch table as the runner's, over the build that the browser is given.
import { isSinkwireError } from "@sinkwire/message";
import { operations } from "../src/dispatch.js";
import type { OperationInput } from "../src/input.js";

/** Answers a JSON list of `[operation, input]` with the JSON list of the answers. */
async function answerAll(requests: string): Promise<string> {
  const answers: unknown[] = [];
  for (const [operation, input] of JSON.parse(requests) as [string, OperationInput][]) {
    try {
      answers.push({ ok: await operations.get(operation)?.(input) });
    } catch (error) {
      if (!isSinkwireError(error)) answers.push({ error: { code: "internal", text: String(error) } });
      else answers.push({ error: { code: error.code, field: error.field, retryable: error.retryable } });
    }
  }
  return JSON.stringify(answers);
}

Object.assign(globalThis, { answerAll });
