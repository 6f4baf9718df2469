/** What is used of a client of ioredis. */
export interface IoredisClient {
  readonly status: string;
  callBuffer(command: string, args: (string | Buffer)[]): Promise<unknown>;
  duplicate(override?: { maxRetriesPerRequest: null }): IoredisClient;
  disconnect(): void;
  on(event: "error", listener: (error: unknown) => void): unknown;
}

/** What is used of a client of node-redis (the package `redis`). */
export interface NodeRedisClient {
  readonly isOpen: boolean;
  sendCommand(args: readonly (string | Buffer)[], options?: { typeMapping?: { 36?: typeof Buffer } }): Promise<unknown>;
  duplicate(): NodeRedisClient;
  connect(): Promise<unknown>;
  destroy(): void;
  on(event: "error", listener: (error: unknown) => void): unknown;
}

/** A client of one of the two libraries. */
export type RedisClient = IoredisClient | NodeRedisClient;

/** A connection, whichever library it is of. */
export interface Connection {
  /**
   * Sends one command.
   *
   * @returns the server's reply, with Buffers for bulk strings
   */
  call(...args: readonly [string, ...(string | Buffer | number)[]]): Promise<unknown>;
  /** Opens one more like it, for a command that blocks. */
  open(): Promise<Connection>;
  close(): void;
  /** Whether it was closed for good. */
  readonly isClosed: boolean;
}

/** node-redis's number of a bulk string. */
const BUFFERS = { typeMapping: { 36: Buffer } };

/** The client as a connection. */
export function connectionOf(client: RedisClient): Connection {
  return "callBuffer" in client ? ofIoredis(client) : ofNodeRedis(client);
}

const texts = (args: readonly (string | Buffer | number)[]): (string | Buffer)[] =>
  args.map((arg) => (typeof arg === "number" ? String(arg) : arg));

/** The client reports each loss of its connection; the commands that fail by it say so themselves. */
const ignore = (): void => {};

function ofIoredis(client: IoredisClient): Connection {
  return {
    call: (command, ...args) => client.callBuffer(command, texts(args)),
    async open() {
      const another = client.duplicate({ maxRetriesPerRequest: null });
      another.on("error", ignore);
      return ofIoredis(another);
    },
    close: () => client.disconnect(),
    get isClosed() {
      return client.status === "end";
    },
  };
}

function ofNodeRedis(client: NodeRedisClient): Connection {
  return {
    call: (...args) => client.sendCommand(texts(args), BUFFERS),
    async open() {
      const another = client.duplicate();
      another.on("error", ignore);
      await another.connect();
      return ofNodeRedis(another);
    },
    close: () => client.destroy(),
    get isClosed() {
      return !client.isOpen;
    },
  };
}
