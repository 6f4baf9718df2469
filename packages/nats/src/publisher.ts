import type { Publisher } from "@sinkwire/delivery";
import {
  addressOption,
  type PublisherLimits,
  publishable,
  publisherLimits,
  publishWithin,
  within,
} from "@sinkwire/delivery/adapter";
import type { JetStreamPublishClient, NatsConnection, NatsHeaderWriter } from "./client.js";
import { clientCarries, headerBlockLength, messageHeaders } from "./headers.js";
import { NATS_LIMITS } from "./limits.js";
import { publishErrorOf } from "./publish-error.js";
import { subjectFault } from "./subject.js";

/** How to publish to JetStream. */
export interface NatsPublisherOptions extends PublisherLimits {
  /** What `connect` gave; it stays open. */
  readonly connection: NatsConnection;
  /** `jetstream(connection)`. */
  readonly jetstream: JetStreamPublishClient;
  /** The client's own `headers` function. */
  readonly headers: () => NatsHeaderWriter;
  /** The subject to publish to: as in `toNats`. A stream has to take it; none is created. */
  readonly subject: string;
}

/**
 * Publishes to a subject that a JetStream stream takes. A message is published when the server has acknowledged it.
 *
 * @param options - client, subject, limits
 * @throws InvalidHookError for an option that cannot be used, before anything is sent
 */
export function createNatsPublisher(options: NatsPublisherOptions): Publisher {
  const { connection, jetstream } = options;
  const subject = addressOption(options.subject, "subject", subjectFault);
  const { timeoutMs, inFlight, checkSize } = publisherLimits(options, NATS_LIMITS.maxBytes);

  return {
    async publish(given, { signal } = {}) {
      const { message, body } = publishable(given);
      const pairs = messageHeaders(message, message, clientCarries);
      const bytes = body.length + headerBlockLength(pairs);
      checkSize(bytes);
      const write = async (written: () => void) => {
        if (connection.isClosed()) throw new Error("the connection is closed");
        const headers = options.headers();
        for (const [name, value] of pairs) headers.append(name, value);
        written();
        try {
          const { stream, seq, duplicate } = await jetstream.publish(subject, body, { headers, timeout: timeoutMs });
          if (!stream || !(seq > 0)) throw new Error("the answer is no acknowledgement of JetStream");
          return { address: subject, id: `${stream}:${seq}`, duplicate };
        } catch (error) {
          const failed = publishErrorOf(error, subject);
          if (failed !== null) throw failed;
          // What nobody answered keeps its place until the server has read it: it may lie in the socket's buffer.
          await connection.flush().catch(() => {});
          throw error;
        }
      };
      return publishWithin(write, { inFlight, bytes, timeoutMs, signal });
    },
    close: () => within(inFlight.idle(), timeoutMs),
  };
}
