import { addressOption, encodeFor, type Mapped, type MappingOptions, utf8Length } from "@sinkwire/delivery/adapter";
import { attributesSet, type Hook, type PublishContext } from "@sinkwire/message";
import { RABBITMQ_LIMITS } from "./limits.js";

/** How to map a hook to a publish. */
export interface ToRabbitmqOptions extends MappingOptions {
  /** The exchange, at most 255 bytes; `""` is the broker's default exchange. */
  readonly exchange: string;
  /** Default `ankusa.<source_id>`, unescaped. At most 255 bytes; `""` is used as it is. */
  readonly routingKey?: string | null | undefined;
}

/** A publish, as amqplib takes it: `channel.publish(exchange, routingKey, content, options)`. */
export interface RabbitmqPublish extends Mapped {
  readonly exchange: string;
  readonly routingKey: string;
  readonly content: Buffer;
  readonly options: {
    readonly contentType: "application/json";
    /** Persistent. */
    readonly deliveryMode: 2;
    /** The hook's id; not there when it is over 255 bytes. */
    readonly messageId?: string;
    /** The attributes set, in its order. */
    readonly headers: Record<string, string>;
    /** The broker returns what it cannot route. */
    readonly mandatory: true;
  };
}

/**
 * Maps a hook to an AMQP publish.
 *
 * @param hook - the received webhook
 * @param context - what is not the provider's
 * @param options - exchange, routing key, limits in bytes of the body (default {@link RABBITMQ_LIMITS}), claim
 * @returns the publish; `size` is the body
 * @throws InvalidHookError (`exchange` or `routing_key` for the options, `source_id` when the default routing key is too
 *   long), MessageTooLargeError, ClaimError; all permanent
 */
export function toRabbitmq(
  hook: Hook,
  context: PublishContext | null | undefined,
  options: ToRabbitmqOptions,
): RabbitmqPublish {
  const { body, parts, mapped } = encodeFor(hook, context, options, {
    maxBytes: RABBITMQ_LIMITS.maxBytes,
    parts: () => ({
      exchange: addressOption(options?.exchange, "exchange", noFault),
      routingKey: routingKey(hook, options?.routingKey),
      overhead: 0,
    }),
  });
  return {
    exchange: parts.exchange,
    routingKey: parts.routingKey,
    content: body,
    options: {
      contentType: "application/json",
      deliveryMode: 2,
      ...(utf8Length(hook.id) <= RABBITMQ_LIMITS.messageIdBytes ? { messageId: hook.id } : {}),
      headers: Object.fromEntries(attributesSet(hook, context)),
      mandatory: true,
    },
    ...mapped,
  };
}

function routingKey(hook: Hook, option: string | null | undefined): string {
  return option === undefined || option === null
    ? addressOption(`ankusa.${hook.source_id}`, "source_id", noFault)
    : addressOption(option, "routing_key", noFault);
}

/** AMQP refuses no text of this length. */
const noFault = (): null => null;
