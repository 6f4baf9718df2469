import { createHash } from "node:crypto";
import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createGateway, type Gateway, type GatewayOptions } from "../src/index.js";
import { gatewayListener } from "../src/node/index.js";

export const CLAIM_ID = "01M39VMD8RA3C5HR4RBV67Y000";
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** The id of a position in the pack of {@link CLAIM_ID}. */
export function claimIdAt(position: number): string {
  const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  let tail = "";
  for (let rest = position, i = 0; i < 3; i++, rest >>= 5) tail = digits.charAt(rest & 31) + tail;
  return CLAIM_ID.slice(0, -3) + tail;
}

/** Waits for a call to fail, and gives what it failed with. */
export async function failureOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error("expected the call to fail");
}

export interface TestServer {
  readonly url: string;
  readonly port: number;
  /** Connections that were ever taken. */
  readonly taken: () => number;
  /** Connections that are open now. */
  readonly open: () => number;
  readonly close: () => Promise<void>;
}

/** A server that is handed raw connections. */
export async function rawServer(onConnection: (socket: Socket) => void): Promise<TestServer> {
  return serve(createServer(onConnection));
}

/** A gateway on a real socket. */
export async function gatewayServer(options: GatewayOptions): Promise<TestServer> {
  return handlerServer(createGateway(options));
}

/** A fetch-style handler on a real socket. */
export async function handlerServer(handler: Gateway): Promise<TestServer> {
  return serve(createHttpServer(gatewayListener(handler)));
}

async function serve(server: Server | HttpServer): Promise<TestServer> {
  const sockets = new Set<Socket>();
  let taken = 0;
  server.on("connection", (socket: Socket) => {
    taken++;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    taken: () => taken,
    open: () => sockets.size,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
