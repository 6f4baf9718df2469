import type { Implementation, VectorChange } from "@sinkwire/conformance";
import { UsageError } from "../io/exit.js";
import type { Shell } from "../shell.js";

/** The implementation whose answers the generated vectors hold. */
const REFERENCE = "typescript";

/** The row of the reference implementation. Rejects with {@link UsageError} outside of the repository. */
export async function referenceImplementation(): Promise<Implementation> {
  const { ConformanceError, loadImplementations } = await import("@sinkwire/conformance");
  let found: Implementation | undefined;
  try {
    found = loadImplementations().find(({ name }) => name === REFERENCE);
  } catch (cause) {
    if (!(cause instanceof ConformanceError && cause.code === "suite_unreadable")) throw cause;
  }
  if (found === undefined) throw new UsageError(`there is no implementation ${REFERENCE}: run this in the repository`);
  return found;
}

/** Writes what differs, a line each, or all of it as one line of JSON. */
export async function showChanges(
  changes: readonly VectorChange[],
  verdict: string,
  { out, json }: Shell,
): Promise<void> {
  if (json) {
    await out.line(JSON.stringify({ changes }));
    return;
  }
  for (const { file, id, detail } of changes)
    await out.line([file, id, detail].filter((part) => part !== null).join("  "));
  await out.line(verdict);
}
