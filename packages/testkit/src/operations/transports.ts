import { toPubsub } from "@sinkwire/google-pubsub";
import { toKafka } from "@sinkwire/kafka";
import { type Claim, encodeMessage, type HeaderPair, type Hook, type PublishContext } from "@sinkwire/message";
import { toNats } from "@sinkwire/nats";
import { toRabbitmq } from "@sinkwire/rabbitmq";
import { toRedis } from "@sinkwire/redis";
import { toSqs } from "@sinkwire/sqs";
import { base64, context, hook, isObject, limits, type Operation, type OperationInput } from "../input.js";

/** The operations of the suite transports. */
export const transports: readonly (readonly [string, Operation])[] = [
  [
    "kafka_record",
    mapping((hook, context, options) => {
      const { key, value, headers, timestamp, size } = toKafka(hook, context, options);
      return {
        ...{ key, value_base64: base64(value), headers: pairs(headers), size },
        timestamp: timestamp === undefined ? null : Number(timestamp),
      };
    }),
  ],
  [
    "nats_message",
    mapping((hook, context, options) => {
      const { subject, payload, headers, size } = toNats(hook, context, options as never);
      return { subject, payload_base64: base64(payload), headers, size };
    }),
  ],
  [
    "amqp_publish",
    mapping((hook, context, options) => {
      const { exchange, routingKey, content, options: sent, size } = toRabbitmq(hook, context, options as never);
      return {
        ...{ exchange, routing_key: routingKey, body_base64: base64(content), size },
        ...{ content_type: sent.contentType, delivery_mode: sent.deliveryMode, message_id: sent.messageId ?? null },
        ...{ headers: pairs(sent.headers), mandatory: sent.mandatory },
      };
    }),
  ],
  [
    "redis_publish",
    mapping((hook, context, options) => {
      const { payload, size } = toRedis(hook, context, options);
      return { payload_base64: base64(payload), size };
    }),
  ],
  [
    "sqs_entry",
    mapping((hook, context, options) => {
      const entry = toSqs(hook, context, options as never);
      return {
        body: entry.MessageBody,
        attributes: Object.entries(entry.MessageAttributes).map(([name, value]) => [name, value.StringValue]),
        group_id: entry.MessageGroupId ?? null,
        deduplication_id: entry.MessageDeduplicationId ?? null,
        size: entry.size,
      };
    }),
  ],
  [
    "pubsub_message",
    mapping((hook, context, options) => {
      const { data, attributes, orderingKey, size } = toPubsub(hook, context, options);
      return {
        ...{ data_base64: base64(data), attributes: pairs(attributes), size },
        ordering_key: orderingKey ?? null,
      };
    }),
  ],
];

/** The options that a mapping takes, under their wire names, and how this API calls them. */
const OPTION_NAMES: ReadonlyMap<string, string> = new Map([
  ["routing_key", "routingKey"],
  ["queue_url", "queueUrl"],
  ["message_group_id", "messageGroupId"],
  ["reserved_attributes", "reservedAttributes"],
  ["ordering_key", "orderingKey"],
]);

type Options = Readonly<Record<string, unknown>>;

function mapping(map: (hook: Hook, context: PublishContext, options: Options) => unknown): Operation {
  return (input) => {
    const given = [hook(input["hook"]), context(input["context"])] as const;
    const sizes = limits(input) ?? {};
    // Here limits and options are one object, so limits that are none have no place in it.
    if (!isObject(sizes)) return encodeMessage(...given, sizes);
    return map(...given, { ...sizes, claim: input["claim"] as Claim, ...named(input) });
  };
}

function named(input: OperationInput): Options {
  const options = Object.entries(isObject(input["options"]) ? input["options"] : {});
  return Object.fromEntries(options.map(([name, value]) => [OPTION_NAMES.get(name) ?? name, value]));
}

function pairs(set: Readonly<Record<string, string>>): readonly HeaderPair[] {
  return Object.entries(set);
}
