import { createNatsPublisher, fromNats } from "@sinkwire/nats";
import { Unreachable, UsageError } from "../io/exit.js";
import type { Address } from "./address.js";
import { CONNECT_MS, unreachable } from "./connecting.js";
import { loadPeer } from "./peer.js";
import type { Transport } from "./transport.js";

type Client = typeof import("@nats-io/transport-node");
type JetStream = typeof import("@nats-io/jetstream");
type Connection = import("@nats-io/transport-node").NatsConnection;

const loadClient = (): Promise<Client> => loadPeer("@nats-io/transport-node");
const loadJetStream = (): Promise<JetStream> => loadPeer("@nats-io/jetstream");

/** NATS JetStream: `nats://[user:password@]host[:port]/subject`. A user without a password is a token. */
export const nats: Transport = {
  async publisher(address) {
    const [{ headers }, { jetstream }] = await Promise.all([loadClient(), loadJetStream()]);
    const subject = subjectOf(address);
    const connection = await connect(address);
    const publisher = createNatsPublisher({ connection, jetstream: jetstream(connection), headers, subject });
    return {
      publish: publisher.publish,
      async close() {
        await publisher.close();
        await connection.close();
      },
    };
  },

  async *tail(address, { since, follow, signal, ready }) {
    const { jetstream } = await loadJetStream();
    const subject = subjectOf(address);
    const connection = await connect(address);
    try {
      const stream = await streamOf(connection, subject);
      if (stream === null) throw new Unreachable(`${address.shown}: no stream takes ${subject}`);
      // Ordered: a consumer of the server's that only this command knows, without acknowledgements.
      const consumer = await jetstream(connection).consumers.get(stream, {
        filter_subjects: subject,
        ...(since === null || since === 0
          ? { deliver_policy: since === null ? "new" : "all" }
          : { deliver_policy: "by_start_time", opt_start_time: new Date(since).toISOString() }),
      });
      const { num_pending } = await consumer.info(true);
      ready();
      if (!follow && num_pending === 0) return;
      const messages = await consumer.consume();
      const stop = (): void => messages.stop();
      signal.addEventListener("abort", stop, { once: true });
      try {
        if (signal.aborted) return;
        for await (const message of messages) {
          yield { read: fromNats(message), position: `${stream}:${message.seq}` };
          if (!follow && message.info.pending === 0) return;
        }
      } finally {
        signal.removeEventListener("abort", stop);
        stop();
        await consumer.delete();
      }
    } finally {
      await connection.close();
    }
  },

  async probe(address) {
    const connection = await connect(address);
    try {
      const subject = address.path.length === 0 ? null : subjectOf(address);
      const { jetstreamManager } = await loadJetStream();
      const server = `nats-server ${connection.info?.version ?? "of an unknown version"}`;
      const hasJetStream = await jetstreamManager(connection).then(
        () => true,
        () => false,
      );
      if (!hasJetStream) return { server, clockMs: null, fault: "JetStream is not enabled" };
      const missing = subject !== null && (await streamOf(connection, subject)) === null;
      return { server, clockMs: null, fault: missing ? `no stream takes ${subject}` : null };
    } finally {
      await connection.close();
    }
  },
};

async function connect(address: Address): Promise<Connection> {
  const client = await loadClient();
  const { host, username, password } = address;
  const user = username ?? "";
  const account = password === null ? { token: user } : { user, pass: password };
  try {
    return await client.connect({
      servers: host,
      timeout: CONNECT_MS,
      ...(username === null ? {} : account),
      ...(address.scheme === "nats+tls" ? { tls: {} } : {}),
    });
  } catch (error) {
    throw unreachable(address, error);
  }
}

/** The stream that takes a subject; null when there is none. */
async function streamOf(connection: Connection, subject: string): Promise<string | null> {
  const { jetstreamManager } = await loadJetStream();
  const manager = await jetstreamManager(connection);
  const names = await manager.streams.names(subject).next();
  return names[0] ?? null;
}

function subjectOf({ path, shown }: Address): string {
  const [subject, more] = path;
  if (subject === undefined || subject === "" || more !== undefined) {
    throw new UsageError(`${shown} names no subject: nats://host/subject`);
  }
  return subject;
}
