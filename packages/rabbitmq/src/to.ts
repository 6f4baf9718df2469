import { addressOption, encodeFor, type Mapped, type MappingOptions } from "@sinkwire/delivery/adapter";
import type { Hook, PublishContext } from "@sinkwire/message";
import type { RabbitmqProperties } from "./client.js";
import { RABBITMQ_LIMITS } from "./limits.js";
import { messageProperties, noFault, routingKeyOf } from "./properties.js";

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
  readonly options: RabbitmqProperties;
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
      routingKey: routingKeyOf(hook, options?.routingKey),
      overhead: 0,
    }),
  });
  const { exchange, routingKey } = parts;
  return { exchange, routingKey, content: body, options: messageProperties(hook, context), ...mapped };
}
