import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Below the range that systems take outgoing ports from: a client that reconnects while a server is down could
 * otherwise be given the server's own port, and reach itself.
 */
const FIRST = 20_000;
const LAST = 29_999;
const TRIES = 200;

/**
 * Loopback ports that nothing listens on.
 *
 * @param count - how many, at least 1
 * @throws Error when no free ones are found
 */
export async function freePorts(count: number): Promise<[number, ...number[]]> {
  const found = new Set<number>();
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(FIRST, LAST + 1);
    if (!found.has(port) && (await isFree(port))) found.add(port);
    const [first, ...others] = found;
    if (first !== undefined && found.size >= count) return [first, ...others];
  }
  throw new Error(`no ${count} free ports between ${FIRST} and ${LAST}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
