export { type AsyncApiOptions, buildAsyncApi } from "./build-asyncapi.js";
export type {
  Channel,
  ChannelAction,
  ChannelBase,
  GooglePubsubChannel,
  KafkaChannel,
  NatsChannel,
  RabbitmqChannel,
  RedisChannel,
  ServedChannel,
  SqsChannel,
} from "./channel.js";
export type {
  AsyncApiDocument,
  ChannelObject,
  JsonObject,
  JsonValue,
  MessageObject,
  OperationObject,
  Reference,
  ServerObject,
} from "./document.js";
export { InvalidChannelError } from "./errors.js";
export { loadSchema, type SchemaName } from "./load-schema.js";
