import type { Implementation, VectorChange } from "@sinkwire/conformance";
import { UsageError } from "../io/exit.js";
import type { Shell } from "../shell.js";

/** The implementation whose answers the generated vectors hold. */
const REFERENCE = "typescript";

/** The row of the reference implementation. Rejects with {@link UsageError} outside of the repository. */
export async function referenceImplementation(): Promise<Implementation> {
  const { loadImplementations } = await import("@sinkwire/conformance");
  const found = loadImplementations().find(({ name }) => name === REFERENCE);
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
