import { addressOption, utf8Length } from "@sinkwire/delivery/adapter";
import { attributesSet, type MetadataContext, type MetadataHook } from "@sinkwire/message";
import type { RabbitmqProperties } from "./client.js";
import { RABBITMQ_LIMITS } from "./limits.js";

/** Native fields and headers of a message's publish. */
export function messageProperties(hook: MetadataHook, context: MetadataContext | null | undefined): RabbitmqProperties {
  return {
    contentType: "application/json",
    deliveryMode: 2,
    ...(utf8Length(hook.id) <= RABBITMQ_LIMITS.messageIdBytes ? { messageId: hook.id } : {}),
    headers: Object.fromEntries(attributesSet(hook, context)),
    mandatory: true,
  };
}

/**
 * The routing key of a hook.
 *
 * @param option - the key to use; null and undefined are `ankusa.<source_id>`
 * @throws InvalidHookError (`routing_key`, or `source_id` when it is made of that) for one that AMQP does not carry
 */
export function routingKeyOf(hook: { readonly source_id: string }, option: string | null | undefined): string {
  return option === undefined || option === null
    ? addressOption(`ankusa.${hook.source_id}`, "source_id", noFault)
    : addressOption(option, "routing_key", noFault);
}

/** AMQP refuses no text of 255 bytes, `""` included. */
export const noFault = (): null => null;
