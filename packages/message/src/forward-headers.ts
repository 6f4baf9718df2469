import { type CheckedForwarding, checkForwarding, checkHeaders, checkObject } from "./check.js";
import { utf8Length } from "./runtime/node.js";
import type { DroppedHeaders, ForwardOptions, HeaderPair } from "./types.js";

/** Credentials, and what belongs to the provider's connection or is carried as a field of the message. */
const NEVER_FORWARDED: ReadonlySet<string> = new Set([
  "authorization",
  "proxy-authorization",
  "cookie",
  "x-api-key",
  "host",
  "content-length",
  "content-type",
  "connection",
  "keep-alive",
  "transfer-encoding",
  "te",
  "trailer",
  "upgrade",
  "expect",
]);
const INTERNAL_PREFIX = "x-ankusa-";

/** What {@link forwardHeaders} kept and dropped. */
export interface ForwardedHeaders {
  /** Kept headers, names in ASCII lower case, in order of first arrival. */
  readonly headers: readonly HeaderPair[];
  readonly dropped: DroppedHeaders;
}

/**
 * Chooses the request headers that go into a message: lowers ASCII letters of names, joins repeated ones with `", "`,
 * leaves out credentials and connection headers, and applies the caps. A name that does not fit is dropped whole;
 * smaller ones after it are still considered.
 *
 * @param headers - request headers in order of arrival; null and undefined are none
 * @param options - which names, and the caps
 * @returns the kept headers and how many names each cap dropped
 * @throws {@link InvalidHookError} for headers or an option that cannot be used
 */
export function forwardHeaders(
  headers: readonly HeaderPair[] | null | undefined,
  options?: ForwardOptions | null,
): ForwardedHeaders {
  const given = options ?? {};
  const checked = checkHeaders(headers);
  checkObject(given, "context");
  return forwardChecked(checked, checkForwarding(given));
}

/** As {@link forwardHeaders}, with input that was checked. */
export function forwardChecked(headers: readonly HeaderPair[], options: CheckedForwarding): ForwardedHeaders {
  const wanted = options.forward === "default" ? null : new Set(options.forward.map(asciiLower));
  const joined = new Map<string, string>();
  for (const header of headers) {
    const name = asciiLower(header[0]);
    const value = header[1];
    if (NEVER_FORWARDED.has(name) || name.startsWith(INTERNAL_PREFIX) || wanted?.has(name) === false) continue;
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before}, ${value}`);
  }

  const kept: HeaderPair[] = [];
  let left = options.maxHeaderBytes;
  let count = 0;
  let bytes = 0;
  for (const [name, value] of joined) {
    if (kept.length >= options.maxHeaders) {
      count++;
      continue;
    }
    const size = utf8Length(name) + utf8Length(value);
    if (size > left) {
      bytes++;
      continue;
    }
    left -= size;
    kept.push([name, value]);
  }
  return { headers: kept, dropped: { count, bytes } };
}

/** Lowers ASCII letters only: `toLowerCase` alone would turn U+212A into `k`. */
function asciiLower(name: string): string {
  return utf8Length(name) === name.length
    ? name.toLowerCase()
    : name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
