import { UsageError } from "../io/exit.js";
import { printable } from "../io/style.js";

/** Where messages travel: a server, and a place on it. */
export interface Address {
  /** As `nats`. */
  readonly scheme: string;
  /** `host` or `host:port`; Kafka takes several, with commas between them. */
  readonly host: string;
  readonly username: string | null;
  readonly password: string | null;
  /** The parts of the path, decodedd. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  /** The URL without its password or token: the only form that is ever printed. */
  readonly shown: string;
}

const URL_PARTS = /^([a-z][a-z0-9+.-]*):\/\/(?:([^/?#@]*)@)?([^/?#@]*)((?:\/[^?#@]*)?)(?:\?([^#@]*))?$/i;
const HOST = /^(?:\[[0-9a-f:.]+\]|[A-Za-z0-9._-]+)(?::[0-9]{1,5})?$/i;

/**
 * Takes a URL apart.
 *
 * @throws {@link UsageError} that does not repeat the text, which may hold a password
 */
export function parseAddress(text: string): Address {
  const [, scheme, user, host, path, query] = URL_PARTS.exec(text) ?? [];
  if (scheme === undefined || host === undefined || !host.split(",").every((one) => HOST.test(one))) {
    throw new UsageError(
      "that is no URL such as nats://host/subject; in a user or password, escape @ : / ? # as %40 …",
    );
  }
  const [username, ...password] = user?.split(":") ?? [];
  const parts = (path ?? "").split("/").slice(1);
  if (parts.at(-1) === "") parts.pop();
  // A user without a password is a token.
  const account = user === undefined ? "" : password.length > 0 ? `${username}:***@` : "***@";
  return {
    scheme: scheme.toLowerCase(),
    host,
    username: username === undefined ? null : decoded(username),
    password: password.length > 0 ? decoded(password.join(":")) : null,
    path: parts.map(decoded),
    query: new URLSearchParams(query ?? ""),
    shown: printable(`${scheme}://${account}${host}${path}${query === undefined ? "" : `?${query}`}`),
  };
}

/** Host and port of an address of one server. */
export function hostAndPort({ host }: Address, defaultPort: number): { readonly host: string; readonly port: number } {
  const [, name = host, port] = /^(.*?)(?::(\d+))?$/.exec(host) ?? [];
  return { host: name.replace(/^\[(.*)\]$/, "$1"), port: port === undefined ? defaultPort : Number(port) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UsageError("a % in the URL is not followed by the two digits of an escape");
  }
}
