import { InvalidHookError } from "@sinkwire/message";

/** Request headers, by name or as pairs. */
export type HeaderValues = Readonly<Record<string, string>> | readonly (readonly [name: string, value: string])[];

/** Request headers, or a function that gives them anew for every request, such as a fresh token. */
export type RedeemHeaders = HeaderValues | (() => HeaderValues | Promise<HeaderValues>);

/** What belongs to the connection or frames the body: an HTTP client sets these itself and refuses a caller's. */
const CLIENT_HEADERS = [
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

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
  const refused = CLIENT_HEADERS.find((name) => headers.has(name));
  if (refused !== undefined) throw new InvalidHookError("headers", `${refused} is the HTTP client's own`);
  headers.set("accept-encoding", "identity");
  return headers;
}
