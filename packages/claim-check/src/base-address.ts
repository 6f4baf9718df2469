import { InvalidHookError } from "@sinkwire/message";

/** The ports that `fetch` refuses: "bad port" of the Fetch standard. */
const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/**
 * The address without a trailing slash: a claim's path starts with one. Texts do not quote it: it may hold a secret.
 *
 * @param ownFetch - whether the caller brings a `fetch`, which may reach any port
 * @throws `InvalidHookError` (`base_url`)
 */
export function baseAddress(baseUrl: unknown, ownFetch: boolean): string {
  let url: URL;
  try {
    url = new URL(baseUrl as string | URL);
  } catch {
    throw new InvalidHookError("base_url", "not a URL");
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new InvalidHookError("base_url", "not http or https");
  }
  if (url.username !== "" || url.password !== "") {
    throw new InvalidHookError("base_url", "holds credentials: pass them as headers");
  }
  if (url.search !== "" || url.hash !== "") throw new InvalidHookError("base_url", "has a query or a fragment");
  if (!ownFetch && url.port !== "" && BLOCKED_PORTS.has(Number(url.port))) {
    throw new InvalidHookError("base_url", `fetch refuses port ${url.port}`);
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}
