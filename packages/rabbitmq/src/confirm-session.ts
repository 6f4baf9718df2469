import type { RabbitmqConfirmChannel, RabbitmqProperties } from "./client.js";
import { confirmErrorOf, type PublishedTo, refusedErrorOf, unroutableErrorOf } from "./publish-error.js";

/** A channel to publish on, from its opening to its end. */
export interface ConfirmSession {
  /**
   * Publishes one message.
   *
   * @returns resolves when the server has confirmed it, and not returned it before
   * @throws PublishError
   */
  send(routingKey: string, content: Buffer, properties: RabbitmqProperties): Promise<void>;
  /** Whether the client's buffer takes more. */
  readonly hasRoom: boolean;
  /** Whether the channel is closed, by whomever. */
  readonly isClosed: boolean;
}

/** A message that is not confirmed. */
interface Unconfirmed {
  readonly to: PublishedTo;
  readonly content: Buffer;
  isReturned: boolean;
}

/**
 * Watches a channel.
 *
 * @param channel - a new one
 * @param exchange - where it publishes to
 * @param changed - called when there is room again, and when the channel closed
 */
export function createConfirmSession(
  channel: RabbitmqConfirmChannel,
  exchange: string,
  changed: () => void,
): ConfirmSession {
  /** In the order of their publishes. */
  const unconfirmed = new Set<Unconfirmed>();
  let hasRoom = true;
  let isClosed = false;
  let closedBy: unknown = null;

  channel.on("error", (error) => {
    closedBy = error;
  });
  channel.on("close", () => {
    isClosed = true;
    changed();
  });
  channel.on("drain", () => {
    hasRoom = true;
    changed();
  });
  // A return comes before the confirm of its message, and returns come in the order of the publishes. Messages with one
  // content and routing key are one to the server: which of them is told does not matter.
  channel.on("return", ({ content, fields }) => {
    for (const message of unconfirmed) {
      const isIt = message.to.routingKey === fields.routingKey && message.content.equals(content);
      if (!isIt || message.isReturned) continue;
      message.isReturned = true;
      return;
    }
  });

  return {
    send: (routingKey, content, properties) =>
      new Promise((resolve, reject) => {
        const to = { exchange, routingKey, bytes: content.length };
        const message: Unconfirmed = { to, content, isReturned: false };
        unconfirmed.add(message);
        const confirmed = (error: unknown): void => {
          unconfirmed.delete(message);
          if (message.isReturned) reject(unroutableErrorOf(to));
          else if (error === null) resolve();
          else reject(confirmErrorOf(error, closedBy, to));
        };
        try {
          hasRoom = channel.publish(exchange, routingKey, content, properties, confirmed);
        } catch (error) {
          unconfirmed.delete(message);
          reject(refusedErrorOf(error, to));
        }
      }),
    get hasRoom() {
      return hasRoom;
    },
    get isClosed() {
      return isClosed;
    },
  };
}
