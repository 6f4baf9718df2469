// Runs vectors through the dispatch table in a thread of its own, so that a mutant that hangs or exhausts memory can be
// ended. Posts the id of the first vector that fails, or null.
import { parentPort, workerData } from "node:worker_threads";
import { describeDifference, type LoadedCase, type Outcome } from "@sinkwire/conformance";
import { answer } from "../answer.js";

async function firstFailure(cases: readonly LoadedCase[]): Promise<string | null> {
  for (const { id, operation, input, expect } of cases) {
    const got: unknown = JSON.parse(JSON.stringify(await answer(operation, input)));
    if (describeDifference(expect, got as Outcome) !== null) return id;
  }
  return null;
}

void firstFailure(workerData as readonly LoadedCase[]).then((id) => parentPort?.postMessage(id));
