import type { MessageBroker } from "../../brokers/index.js";
import type { Transport } from "../types.js";
import { googlePubsub } from "./google-pubsub.js";
import { kafka } from "./kafka.js";
import { nats } from "./nats.js";
import { rabbitmqWith } from "./rabbitmq.js";
import { redisOver } from "./redis.js";
import { sqs } from "./sqs.js";

/** One transport of each broker that carries messages. */
export const TRANSPORTS: Readonly<Record<MessageBroker, Transport>> = {
  kafka,
  nats,
  rabbitmq: rabbitmqWith("classic"),
  redis: redisOver("ioredis"),
  sqs,
  "google-pubsub": googlePubsub,
};
