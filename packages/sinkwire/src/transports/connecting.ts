import { Unreachable } from "../io/exit.js";
import type { Address } from "./address.js";

/** How long a connection may take, in milliseconds. */
export const CONNECT_MS = 5_000;

/** The error of a server that does not answer, or not as it should: without what is secret in the address. */
export function unreachable(address: Address, cause: unknown): Unreachable {
  const words = cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : String(cause);
  const secret = address.password ?? address.username ?? "";
  const safe = secret === "" ? words : words.replaceAll(secret, "***");
  return new Unreachable(`${address.shown} cannot be used: ${safe}`, { cause });
}

/** The answer of a server, whose refusals are told in a sentence. */
export async function told<T>(address: Address, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw unreachable(address, error);
  }
}
