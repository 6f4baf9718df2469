import { sqlState } from "./errors.js";

/** Deadlock and serialization failure: nothing was done, and the same again may succeed. */
const CONFLICTS = ["40P01", "40001"];
const MAX_TRIES = 10;

/**
 * Runs one transaction, again when the database undid it because of a conflict with others.
 *
 * @param work - a whole transaction, or a single statement
 * @returns what it returned
 * @throws what it threw, the tenth conflict too
 */
export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === MAX_TRIES || !CONFLICTS.includes(sqlState(error) ?? "")) throw error;
    }
  }
}
