import type { BrokerKind } from "../kind.js";
import type { BrokerName, MessageBroker } from "../types.js";
import { googlePubsub } from "./google-pubsub.js";
import { kafka } from "./kafka.js";
import { nats } from "./nats.js";
import { postgres } from "./postgres.js";
import { rabbitmq } from "./rabbitmq.js";
import { redis } from "./redis.js";
import { s3 } from "./s3.js";
import { sqs } from "./sqs.js";

/** All kinds of servers by name. */
export const KINDS: Readonly<Record<BrokerName, BrokerKind>> = {
  kafka,
  nats,
  rabbitmq,
  redis,
  sqs,
  "google-pubsub": googlePubsub,
  s3,
  postgres,
};

/** The names of all servers. */
export const BROKER_NAMES: readonly BrokerName[] = Object.keys(KINDS) as BrokerName[];

/** The names of those that carry messages. */
export const MESSAGE_BROKERS: readonly MessageBroker[] = BROKER_NAMES.filter(
  (name): name is MessageBroker => name !== "s3" && name !== "postgres",
);
