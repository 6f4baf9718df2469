import { property } from "@sinkwire/delivery/adapter";

/** How the server begins an error: a word in capitals, as in `NOGROUP No such key`. No client's own error does. */
const SERVER_ERROR = /^([A-Z]{2,}) /;

/**
 * The word that an error of the server begins with: the command had no effect.
 *
 * @returns as `OOM`; null when the error is the client's own, and says nothing about the command
 */
export function serverErrorWord(error: unknown): string | null {
  return SERVER_ERROR.exec(String(property(error, "message")))?.[1] ?? null;
}
