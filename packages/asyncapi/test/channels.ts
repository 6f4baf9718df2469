import fc from "fast-check";
import type { Channel } from "../src/index.js";

const word = fc.stringMatching(/^[a-z][a-z0-9-]{2,11}$/);
const host = fc.tuple(word, fc.integer({ min: 1, max: 65_535 })).map(([name, port]) => `${name}.example:${port}`);
/** Well-formed text that no check takes for a URL with user info or for a query with a secret. */
const text = fc.string({ unit: "binary", minLength: 1, maxLength: 24 }).filter((one) => !/\/\/|[?&;#]/.test(one));
const servers = (scheme: string): fc.Arbitrary<readonly string[]> =>
  fc.array(
    host.map((one) => `${scheme}://${one}`),
    { minLength: 1, maxLength: 2 },
  );

const scope = {
  source: fc.option(text, { nil: undefined }),
  tenant: fc.oneof(text, fc.constantFrom(null, undefined)),
  actions: fc.constantFrom(undefined, ["send"] as const, ["receive"] as const, ["receive", "send"] as const),
};

/** Any channel that can be used. */
export const channel: fc.Arbitrary<Channel> = fc.oneof(
  fc.record({ ...scope, transport: fc.constant("kafka" as const), servers: servers("kafka"), topic: word }),
  fc.record({
    ...scope,
    transport: fc.constant("nats" as const),
    servers: servers("nats"),
    subject: fc.array(word, { minLength: 1, maxLength: 3 }).map((tokens) => tokens.join(".")),
  }),
  fc.record({
    ...scope,
    transport: fc.constant("rabbitmq" as const),
    servers: servers("amqps"),
    exchange: fc.oneof(text, fc.constant("")),
    routingKey: fc.option(fc.oneof(text, fc.constant(""), fc.constant("a.{b}")), { nil: undefined }),
  }),
  fc.record({ ...scope, transport: fc.constant("redis" as const), servers: servers("redis"), stream: text }),
  fc.record({ ...scope, transport: fc.constant("redis" as const), servers: servers("rediss"), channel: text }),
  fc.record({
    ...scope,
    transport: fc.constant("sqs" as const),
    queueUrl: fc.tuple(host, word).map(([at, name]) => `https://${at}/123456789012/${name}.fifo`),
  }),
  fc.record({ ...scope, transport: fc.constant("google-pubsub" as const), topic: word }),
);

/** Lists of channels of which no two share an address, so that none overlap. */
export const channels: fc.Arbitrary<readonly Channel[]> = fc.uniqueArray(channel, {
  maxLength: 6,
  selector: ({ source: _, tenant: __, actions: ___, ...address }) =>
    JSON.stringify({ ...address, ...("exchange" in address ? { routingKey: address.exchange } : {}) }),
});
