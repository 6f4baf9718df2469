import type { IncomingMessage, ServerResponse } from "node:http";
import { InvalidHookError } from "@sinkwire/message";
import type { Gateway } from "../gateway.js";

/**
 * Puts a fetch-style handler behind `http.createServer`.
 *
 * To stop such a server, call its `close`, and its `closeAllConnections` when a time of grace is over: `close` alone
 * waits for a client that has sent half of its headers.
 *
 * @param handler - such as the one of `createGateway`
 * @returns a listener for the server's requests. A client that goes away aborts the handler's request; what the handler
 *   throws becomes an empty 500.
 * @throws `InvalidHookError` (`handler`)
 */
export function gatewayListener(handler: Gateway): (request: IncomingMessage, response: ServerResponse) => void {
  if (typeof handler !== "function") throw new InvalidHookError("handler", "not a function");
  return (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.once("close", () => gone.abort());
    serve(handler, incoming, outgoing, gone.signal).catch(() => {
      if (!outgoing.headersSent) outgoing.writeHead(500);
      outgoing.end();
    });
  };
}

async function serve(
  handler: Gateway,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const request = requestOf(incoming, signal);
  if (request === null) {
    outgoing.writeHead(400).end();
    return;
  }
  const response = await handler(request);
  const body = request.method === "HEAD" ? null : Buffer.from(await response.arrayBuffer());
  outgoing.writeHead(response.status, [...response.headers].flat());
  outgoing.end(body);
}

function requestOf({ method = "GET", url = "/", rawHeaders }: IncomingMessage, signal: AbortSignal): Request | null {
  const headers = new Headers();
  try {
    for (let i = 0; i + 1 < rawHeaders.length; i += 2)
      headers.append(rawHeaders[i] as string, rawHeaders[i + 1] as string);
    // A handler sees the path alone: an absolute target or a doubled slash must not choose another host.
    const target = new URL(url.startsWith("/") ? `http://gateway${url}` : url);
    // `Request` refuses to hold TRACE; for a gateway it is one more method that it does not allow.
    return new Request(target, { method: method === "TRACE" ? "OPTIONS" : method, headers, signal });
  } catch {
    return null;
  }
}
