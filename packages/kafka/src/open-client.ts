import { STOP_LIMIT_MS, within } from "@sinkwire/delivery/adapter";
import type { KafkaBaseClient } from "./client.js";

/** A client that is ours to close. */
export interface OpenClient<C extends KafkaBaseClient> {
  readonly client: C;
  /** Closes its connections at once: what they wait for fails, and new ones are made when they are needed. */
  drop(): void;
  /** Closes it, in order when the servers answer in time. */
  close(): Promise<void>;
}

/** What the client tells of a new connection. */
interface Connected {
  readonly connection: { readonly socket: Socket };
}

interface Socket {
  destroy(): unknown;
  once(event: "close", listener: () => void): unknown;
}

/**
 * Takes charge of a client. Its sockets are kept count of: it loses sight of some itself, and waits for ever for a server
 * that stands still.
 */
export function openClient<C extends KafkaBaseClient>(client: C): OpenClient<C> {
  const sockets = new Set<Socket>();
  // Without a listener its error would end the process.
  client.on("error", () => {});
  client.on("client:broker:connect", ({ connection: { socket } }: Connected) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    client,
    drop,
    async close() {
      await within(client.close(true), STOP_LIMIT_MS);
      drop();
    },
  };
}
