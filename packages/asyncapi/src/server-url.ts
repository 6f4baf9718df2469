import type { JsonObject, ServerObject } from "./document.js";
import type { Options } from "./options.js";

/** A scheme of a broker's URL. */
interface Scheme {
  readonly protocol: string;
  /** Said of the server where the protocol's name does not. */
  readonly description?: string;
  /** Whether the URL's path means something. Default false. */
  readonly path?: boolean;
}

const TLS = "Over TLS.";

/** The schemes of each transport's URLs, and the protocol names that AsyncAPI has for them. */
const SCHEMES: Readonly<Record<string, Readonly<Record<string, Scheme>>>> = {
  kafka: { "kafka:": { protocol: "kafka" }, "kafka-secure:": { protocol: "kafka-secure" } },
  nats: { "nats:": { protocol: "nats" }, "tls:": { protocol: "nats", description: TLS } },
  rabbitmq: { "amqp:": { protocol: "amqp", path: true }, "amqps:": { protocol: "amqps", path: true } },
  redis: {
    "redis:": { protocol: "redis", path: true },
    "rediss:": { protocol: "redis", description: TLS, path: true },
  },
  sqs: { "https:": { protocol: "sqs", path: true }, "http:": { protocol: "sqs", path: true } },
  "google-pubsub": { "https:": { protocol: "googlepubsub" }, "http:": { protocol: "googlepubsub" } },
};
const MAX_URL_BYTES = 2048;
/** A name, an IPv4 or a bracketed IPv6 address, and a port. Nothing percent-encoded: it could hide user info. */
const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
const PATH = /^\/[A-Za-z0-9._~%-]*$/;
/** What a URL parser would drop in silence. */
const DROPPED = /[\0-\x20\x7f\\]/;

/**
 * Reads the URL of a broker or a queue.
 *
 * @param transport - a key of the table of schemes
 * @param value - as the caller gave it
 * @param name - the option it came in
 * @param options - who says what is wrong with it
 * @returns the server and the URL
 * @throws InvalidChannelError for what is no URL of that transport, and for one with credentials, query or fragment; the
 *   text does not repeat it
 */
export function serverOf(
  transport: string,
  value: unknown,
  name: string,
  options: Options,
): { readonly server: ServerObject; readonly url: URL } {
  const text = options.checkText(value, name, {
    maxBytes: MAX_URL_BYTES,
    fault: (given) => (DROPPED.test(given) ? "a URL holds no white space, control character or backslash" : null),
  });
  const schemes = SCHEMES[transport] ?? {};
  const expected = Object.keys(schemes).map((one) => `${one}//`);
  const url = URL.canParse(text) ? new URL(text) : null;
  const scheme = url === null || !Object.hasOwn(schemes, url.protocol) ? undefined : schemes[url.protocol];
  if (url === null || scheme === undefined || !text.includes("://")) {
    throw options.invalid(name, `expected a URL that begins with ${expected.join(" or ")}`);
  }
  if (url.username !== "" || url.password !== "") throw options.invalid(name, "a server's URL holds no credentials");
  if (url.search !== "" || url.hash !== "" || /[?#]/.test(text)) {
    throw options.invalid(name, "a server's URL holds no query and no fragment");
  }
  if (!HOST.test(url.host)) throw options.invalid(name, "the host is not a name or an address, with a port at most");
  const { protocol, description, path = false } = scheme;
  const server = { host: url.host, protocol, ...(description === undefined ? {} : { description }) };
  if (transport === "sqs") return { server, url };
  const pathname = pathOf(url.pathname);
  if (pathname !== null && !(path && PATH.test(pathname))) {
    throw options.invalid(name, path ? "the path is one segment at most" : "a URL of this broker has no path");
  }
  return { server: { ...server, ...pathPart(pathname) }, url };
}

function pathOf(pathname: string): string | null {
  return pathname === "" || pathname === "/" ? null : pathname;
}

function pathPart(pathname: string | null): JsonObject {
  return pathname === null ? {} : { pathname };
}
