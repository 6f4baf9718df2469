import { connect } from "node:net";

/** No greeting of any server here is longer. */
const LIMIT_BYTES = 65_536;

/**
 * Opens a TCP connection, sends some bytes and reads until there is an answer.
 *
 * @param address - `host:port`
 * @param send - what is sent at once; may be empty
 * @param read - gets all bytes so far; null asks for more
 * @throws Error when the connection ends or the signal fires before there is an answer
 */
export function exchange<T>(
  address: string,
  send: Uint8Array | string,
  read: (bytes: Buffer) => T | null,
  options: { readonly signal: AbortSignal },
): Promise<T> {
  const { hostname, port } = new URL(`tcp://${address}`);
  return new Promise<T>((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), signal: options.signal });
    let bytes = Buffer.alloc(0);
    socket.on("connect", () => socket.write(send));
    socket.on("data", (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      try {
        const answer = read(bytes);
        if (answer !== null) resolve(answer);
        else if (bytes.length > LIMIT_BYTES) throw new Error(`${address} answers something else`);
        else return;
      } catch (error) {
        reject(error);
      }
      socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () => reject(new Error(`${address} closed the connection`)));
  });
}
