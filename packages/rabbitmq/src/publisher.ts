import { PublishError, type Publisher } from "@sinkwire/delivery";
import {
  addressOption,
  type PublisherLimits,
  publishable,
  publisherLimits,
  publishWithin,
  STOP_LIMIT_MS,
  within,
} from "@sinkwire/delivery/adapter";
import { createBell } from "./bell.js";
import type { RabbitmqConfirmChannel, RabbitmqConnection } from "./client.js";
import { type ConfirmSession, createConfirmSession } from "./confirm-session.js";
import { RABBITMQ_LIMITS } from "./limits.js";
import { messageProperties, noFault, routingKeyOf } from "./properties.js";
import { exchangeErrorOf } from "./publish-error.js";

/** How to publish to an exchange. */
export interface RabbitmqPublisherOptions extends PublisherLimits {
  /** What amqplib's `connect` gave; it stays open. With `recovery: true` it outlives a lost connection. */
  readonly connection: RabbitmqConnection;
  /** The exchange, at most 255 bytes; `""` is the broker's default exchange, whose routing keys are names of queues. */
  readonly exchange: string;
  /** Default `ankusa.<source_id>` of each message. At most 255 bytes; `""` is used as it is. */
  readonly routingKey?: string | null | undefined;
  /**
   * Declares the exchange (topic, durable) on each new channel. `false` for one of another kind, or a user that may not
   * declare: it then has to exist. Default true.
   */
  readonly declareExchange?: boolean | undefined;
}

/**
 * Publishes to an exchange, on a confirm channel of its own. A message is published when the server has confirmed it, and
 * not returned it for want of a queue. No queue is ever declared.
 *
 * A channel that closed is followed by a new one at the next publish. The receipt's `id` is empty: the server has none.
 *
 * @param options - connection, exchange, limits
 * @throws InvalidHookError (`exchange`, `routing_key`, or the limit's name) for an option that cannot be used
 */
export function createRabbitmqPublisher(options: RabbitmqPublisherOptions): Publisher {
  const { connection, declareExchange = true } = options;
  const exchange = addressOption(options.exchange, "exchange", noFault);
  const { timeoutMs, inFlight, checkSize } = publisherLimits(options, RABBITMQ_LIMITS.maxBytes);
  routingKeyOf({ source_id: "" }, options.routingKey);
  const changed = createBell();
  let opened: { readonly channel: RabbitmqConfirmChannel; readonly session: ConfirmSession } | null = null;
  let isOpening = false;
  let isBlocked = false;
  let isClosed = false;

  const block = (): void => {
    isBlocked = true;
  };
  const unblock = (): void => {
    isBlocked = false;
    changed.ring();
  };
  connection.on("blocked", block);
  connection.on("unblocked", unblock);

  const open = async (): Promise<void> => {
    isOpening = true;
    try {
      const channel = await connection.createConfirmChannel();
      const session = createConfirmSession(channel, exchange, changed.ring);
      await prepare(channel).catch((error: unknown) => {
        channel.close().catch(() => {});
        throw exchangeErrorOf(error, exchange);
      });
      if (isClosed) return void channel.close().catch(() => {});
      opened = { channel, session };
      // Nobody is told of the end of a block that ended with its connection; a blocked one opens no channel.
      unblock();
    } catch (error) {
      changed.fail(error);
    } finally {
      isOpening = false;
    }
  };
  const prepare = async (channel: RabbitmqConfirmChannel): Promise<void> => {
    if (exchange === "") return;
    if (declareExchange) await channel.assertExchange(exchange, "topic", { durable: true });
    else await channel.checkExchange(exchange);
  };

  /** The channel, when it takes a message now. */
  const writable = (): ConfirmSession | null => {
    if (isClosed) throw new Error("the publisher was closed");
    const session = opened?.session;
    if (session !== undefined && !session.isClosed) return session.hasRoom && !isBlocked ? session : null;
    if (!isOpening) void open();
    return null;
  };

  const routingKeyFor = (message: { readonly source_id: string }): string => {
    try {
      return routingKeyOf(message, options.routingKey);
    } catch (cause) {
      throw rejected(cause as Error);
    }
  };

  return {
    async publish(given, { signal } = {}) {
      const { message, body } = publishable(given);
      checkSize(body.length);
      const routingKey = routingKeyFor(message);
      const properties = messageProperties(message, message);
      const write = async (written: () => void, call: { readonly signal: AbortSignal }) => {
        let session = writable();
        for (; session === null; session = writable()) await changed.wait(call.signal);
        written();
        await session.send(routingKey, body, properties);
        return { address: exchange || routingKey, id: "", duplicate: false };
      };
      return publishWithin(write, { inFlight, bytes: body.length, timeoutMs, signal });
    },
    async close() {
      await within(inFlight.idle(), timeoutMs);
      isClosed = true;
      changed.ring();
      connection.removeListener("blocked", block);
      connection.removeListener("unblocked", unblock);
      if (opened !== null && !opened.session.isClosed) await within(opened.channel.close(), STOP_LIMIT_MS);
    },
  };
}

/** Says that a message can never be sent. */
function rejected(cause: Error): PublishError {
  return new PublishError("publish_rejected", cause.message, { outcome: "not_published", cause });
}
