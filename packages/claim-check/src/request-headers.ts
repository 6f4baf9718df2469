import { InvalidHookError } from "@sinkwire/message";

/** Request headers, by name or as pairs. */
export type HeaderValues = Readonly<Record<string, string>> | readonly (readonly [name: string, value: string])[];

/** Request headers, or a function that gives them anew for every request, such as a fresh token. */
export type RedeemHeaders = HeaderValues | (() => HeaderValues | Promise<HeaderValues>);

/**
 * The headers of one request. Bytes are digested as they were stored, so `accept-encoding` is ours.
 *
 * @throws `InvalidHookError` (`headers`), without a cause: the platform's own error would quote the value
 */
export function requestHeaders(values: HeaderValues): Headers {
  let headers: Headers;
  try {
    headers = new Headers(values as Record<string, string>);
  } catch {
    throw new InvalidHookError("headers", "not names and values that HTTP can carry");
  }
  headers.set("accept-encoding", "identity");
  return headers;
}
