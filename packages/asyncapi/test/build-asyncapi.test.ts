import { isSinkwireError } from "@sinkwire/message";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AsyncApiDocument,
  buildAsyncApi,
  type Channel,
  InvalidChannelError,
  type JsonObject,
} from "../src/index.js";
import { channels as channelLists } from "./channels.js";

const kafka = { transport: "kafka", servers: ["kafka://broker.example:9092"], topic: "hooks" } as const;
const only = <T>(parts: Readonly<Record<string, T>>): T => {
  expect(Object.keys(parts)).toHaveLength(1);
  return Object.values(parts)[0] as T;
};
const ids = ({ servers, channels, operations, components: { messages } }: AsyncApiDocument): readonly string[] =>
  [servers, channels, operations, messages].flatMap((parts) => Object.keys(parts));
const resolve = (document: AsyncApiDocument, pointer: string): unknown =>
  pointer
    .slice(2)
    .split("/")
    .reduce<unknown>((part, name) => (part as Readonly<Record<string, unknown>>)[name], document);

describe("a document", () => {
  test("is the same for the same channels in any order, and its own", () => {
    fc.assert(
      fc.property(channelLists, fc.nat(), (list, seed) => {
        const document = buildAsyncApi(list);
        const start = list.length === 0 ? 0 : seed % list.length;
        expect(buildAsyncApi([...list.slice(start), ...list.slice(0, start)].reverse())).toEqual(document);
        expect(JSON.stringify(buildAsyncApi(list.toReversed()))).toBe(JSON.stringify(document));
        expect(JSON.parse(JSON.stringify(document))).toEqual(document);
      }),
    );
  });

  test("keeps the ids of a channel whatever is added beside it", () => {
    fc.assert(
      fc.property(channelLists, (list) => {
        const all = new Set(ids(buildAsyncApi(list)));
        for (const one of list) expect(ids(buildAsyncApi([one])).filter((id) => !all.has(id))).toEqual([]);
      }),
    );
  });

  test("refers to its own parts alone, and each is there", () => {
    fc.assert(
      fc.property(channelLists, (list) => {
        const document = buildAsyncApi(list);
        const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, one = ""]) => one);
        expect(references.filter((one) => resolve(document, one) === undefined)).toEqual([]);
      }),
    );
  });

  test("says what it was told of itself", () => {
    const info = { title: "Hooks", version: "2.1.0", description: "All of them." };
    expect(buildAsyncApi([], info).info).toEqual(info);
    expect(buildAsyncApi([]).info).toEqual(buildAsyncApi([], {}).info);
  });
});

describe("a channel", () => {
  test("names its address, its servers, and what the application does with it", () => {
    const document = buildAsyncApi([{ ...kafka, actions: ["receive"] }]);
    const [id] = Object.keys(document.channels);
    expect(only(document.servers)).toEqual({ host: "broker.example:9092", protocol: "kafka" });
    expect(only(document.channels)).toMatchObject({ address: "hooks", bindings: { kafka: { topic: "hooks" } } });
    expect(only(document.operations)).toMatchObject({ action: "receive", channel: { $ref: `#/channels/${id}` } });
    expect(Object.values(buildAsyncApi([kafka]).operations).map(({ action }) => action)).toEqual(["receive", "send"]);
  });

  test("of one address and one set of servers is one, with a message for each source and tenant", () => {
    const servers = ["kafka://a.example:1", "kafka://b.example:2"];
    const list: readonly Channel[] = [
      { ...kafka, servers, source: "github", actions: ["send"] },
      { ...kafka, servers: servers.toReversed(), source: "stripe" },
      { ...kafka, servers, source: "github", actions: ["receive"] },
    ];
    const document = buildAsyncApi(list);
    const one = only(document.channels);
    expect(Object.keys(one.messages)).toEqual(Object.keys(document.components.messages));
    expect(Object.keys(one.messages)).toHaveLength(2);
    expect(Object.values(document.operations).map(({ messages }) => messages.length)).toEqual([2, 2]);
    expect(Object.keys(buildAsyncApi([{ ...kafka, servers }, kafka]).channels)).toHaveLength(2);
  });

  test.for<[string, Channel, string | null, object]>([
    ["a subject", { transport: "nats", servers: ["tls://n.example"], subject: "a.b" }, "a.b", {}],
    [
      "a routing key of any source",
      { transport: "rabbitmq", servers: ["amqps://r.example/prod"], exchange: "hooks" },
      "ankusa.{source_id}",
      { parameters: { source_id: { location: "$message.payload#/source_id" } } },
    ],
    [
      "a routing key of one source",
      { transport: "rabbitmq", servers: ["amqp://r.example"], exchange: "", source: "github" },
      "ankusa.github",
      { bindings: { amqp: { exchange: { name: "", type: "default" } } } },
    ],
    [
      "a key with a hash tag",
      { transport: "redis", servers: ["redis://r.example/0"], stream: "hooks:{acme}" },
      null,
      { "x-sinkwire-address": "hooks:{acme}" },
    ],
    [
      "a FIFO queue",
      { transport: "sqs", queueUrl: "https://sqs.example/1/hooks.fifo/" },
      "https://sqs.example/1/hooks.fifo/",
      { bindings: { sqs: { queue: { name: "hooks.fifo", fifoQueue: true } } } },
    ],
    [
      "a topic of Pub/Sub",
      { transport: "google-pubsub", topic: "projects/p/topics/hooks" },
      "projects/p/topics/hooks",
      {},
    ],
  ])("can be %s", ([, given, address, rest]) => {
    expect(only(buildAsyncApi([given]).channels)).toMatchObject({ address, ...rest });
  });

  test("a stream and a pub/sub channel of one name are two", () => {
    const redis = { transport: "redis", servers: ["redis://r.example"] } as const;
    const list: readonly Channel[] = [
      { ...redis, stream: "hooks" },
      { ...redis, channel: "hooks" },
    ];
    expect(Object.keys(buildAsyncApi(list).channels)).toHaveLength(2);
  });
});

describe("a message", () => {
  const validator = (document: AsyncApiDocument, part: "payload" | "headers"): ValidateFunction => {
    const schema = only(document.components.messages)[part] as JsonObject;
    return new Ajv2020({ strict: false }).compile({ ...schema, components: document.components });
  };
  const example = (document: AsyncApiDocument): { payload: JsonObject; headers: JsonObject } =>
    (only(document.components.messages)["examples"] as unknown as { payload: JsonObject; headers: JsonObject }[])[0] ??
    expect.fail("there is no example");

  test.for([
    [{ source: "github" }, { source_id: "stripe" }, { ankusa_source_id: "stripe" }],
    [{ tenant: "acme" }, { tenant_id: "other" }, { ankusa_tenant_id: "other" }],
    [{ tenant: "acme" }, { tenant_id: null }, { ankusa_tenant_id: "" }],
    [{ tenant: null }, { tenant_id: "acme" }, { ankusa_tenant_id: "acme" }],
    [{}, { v: 3 }, { ankusa_message_version: "3" }],
  ] as const)("of %j takes its example and none of another", ([scope, foreign, foreignMetadata]) => {
    const document = buildAsyncApi([{ ...kafka, ...scope }]);
    const { payload, headers } = example(document);
    const payloads = validator(document, "payload");
    const metadata = validator(document, "headers");
    expect(payloads(payload), JSON.stringify(payloads.errors)).toBe(true);
    expect(metadata(headers), JSON.stringify(metadata.errors)).toBe(true);
    expect(payloads({ ...payload, ...foreign })).toBe(false);
    expect(metadata({ ...headers, ...foreignMetadata })).toBe(false);
  });

  test("names the version of its transport's bindings, and has headers where the broker carries metadata", () => {
    const servers = (scheme: string): readonly string[] => [`${scheme}://b.example`];
    const list: readonly Channel[] = [
      kafka,
      { transport: "nats", servers: servers("nats"), subject: "hooks" },
      { transport: "rabbitmq", servers: servers("amqp"), exchange: "hooks" },
      { transport: "redis", servers: servers("redis"), stream: "hooks" },
      { transport: "sqs", queueUrl: "https://sqs.example/1/hooks" },
      { transport: "google-pubsub", topic: "hooks" },
    ];
    const messages = Object.values(buildAsyncApi(list).components.messages);
    const bindings = Object.assign({}, ...messages.map((one) => one["bindings"])) as Record<string, JsonObject>;
    expect(Object.fromEntries(Object.entries(bindings).map(([name, one]) => [name, one["bindingVersion"]]))).toEqual({
      kafka: "0.5.0",
      nats: "0.1.0",
      amqp: "0.3.0",
      redis: "0.1.0",
      sqs: "0.3.0",
      googlepubsub: "0.2.0",
    });
    expect(messages.filter((one) => !("headers" in one)).map((one) => Object.keys(one["bindings"] as object))).toEqual([
      ["redis"],
    ]);
  });
});

describe("what cannot be used", () => {
  const refused = (list: unknown, options?: unknown): InvalidChannelError => {
    try {
      buildAsyncApi(list as Channel[], options as null);
    } catch (error) {
      if (error instanceof InvalidChannelError && isSinkwireError(error, "invalid_channel")) return error;
      throw error;
    }
    return expect.fail("it was taken");
  };
  const nats = { transport: "nats", servers: ["nats://n.example"], subject: "hooks" };
  const redis = { transport: "redis", servers: ["redis://r.example"], stream: "hooks" };
  const rabbitmq = { transport: "rabbitmq", servers: ["amqp://r.example"], exchange: "hooks" };

  test.for<[string, unknown]>([
    ["transport", null],
    ["transport", []],
    ["transport", {}],
    ["transport", { ...kafka, transport: "pulsar" }],
    ["transport", { ...kafka, transport: "toString" }],
    ["password", { ...kafka, password: "hunter2" }],
    ["__proto__", JSON.parse(`{ "transport": "kafka", "__proto__": { "topic": "hooks" } }`)],
    ["topic", Object.assign(Object.create({ topic: "hooks" }), { transport: "kafka", servers: kafka.servers })],
    ["source", { ...kafka, source: 5 }],
    ["source", { ...kafka, source: "\ud800" }],
    ["source", { ...rabbitmq, source: "s".repeat(250) }],
    ["tenant", { ...kafka, tenant: ["acme"] }],
    ["actions", { ...kafka, actions: [] }],
    ["actions", { ...kafka, actions: ["publish"] }],
    ["servers", { ...kafka, servers: [] }],
    ["servers", { ...kafka, servers: new Array(1) }],
    ["servers", { ...kafka, servers: "kafka://a" }],
    ["servers", { ...kafka, servers: ["broker:9092"] }],
    ["servers", { ...kafka, servers: ["nats://a"] }],
    ["servers", { ...kafka, servers: ["kafka://"] }],
    ["servers", { ...kafka, servers: ["kafka://a/path"] }],
    ["servers", { ...kafka, servers: ["kafka://a:99999"] }],
    ["servers", { ...kafka, servers: ["kafka://a b"] }],
    ["servers", { ...kafka, servers: ["kafka://{host}"] }],
    ["servers", { ...rabbitmq, servers: ["amqp://a/b/c"] }],
    ["topic", { ...kafka, topic: "" }],
    ["topic", { ...kafka, topic: ".." }],
    ["topic", { ...kafka, topic: "a b" }],
    ["topic", { transport: "google-pubsub", topic: "projects/p/hooks" }],
    ["subject", { ...nats, subject: "hooks.>" }],
    ["subject", { ...nats, subject: "a..b" }],
    ["subject", { ...nats, subject: "a b" }],
    ["exchange", { ...rabbitmq, exchange: undefined }],
    ["routingKey", { ...rabbitmq, routingKey: "k".repeat(256) }],
    ["stream", { ...redis, stream: undefined }],
    ["channel", { ...redis, channel: "hooks" }],
    ["queueUrl", { transport: "sqs" }],
    ["queueUrl", { transport: "sqs", queueUrl: "https://sqs.example/" }],
    ["queueUrl", { transport: "sqs", queueUrl: "ftp://sqs.example/1/hooks" }],
  ])("%s of %j", ([field, given]) => {
    expect(refused([kafka, given])).toMatchObject({ field, channel: 1, retryable: false });
  });

  test.for<[string, unknown, unknown]>([
    ["channels", null, {}],
    ["channels", { 0: kafka }, {}],
    ["options", [], 5],
    ["title", [], { title: "" }],
    ["version", [], { version: 1 }],
    ["description", [], { description: "x".repeat(5000) }],
    ["contact", [], { contact: "me" }],
  ])("%s of the document", ([field, list, options]) => {
    expect(refused(list, options)).toMatchObject({ field, channel: null });
  });

  test.for<[string, unknown]>([
    ["servers", { ...kafka, servers: ["kafka://user:hunter2@broker:9092"] }],
    ["servers", { ...kafka, servers: ["kafka://hunter2@broker:9092"] }],
    ["servers", { ...kafka, servers: ["kafka://broker:9092?password=hunter2"] }],
    ["servers", { ...kafka, servers: ["kafka://broker:9092#hunter2"] }],
    ["servers", { ...kafka, servers: ["kafka://user%3Ahunter2%40broker:9092"] }],
    ["servers", { ...nats, servers: ["nats://hunter2@n.example"] }],
    ["servers", { ...redis, servers: ["redis://:hunter2@r.example/0"] }],
    ["servers", { ...rabbitmq, servers: ["amqp:\\\\user:hunter2@r.example"] }],
    ["queueUrl", { transport: "sqs", queueUrl: "https://user:hunter2@sqs.example/1/hooks" }],
    ["queueUrl", { transport: "sqs", queueUrl: "https://sqs.example/1/hooks?X-Amz-Signature=hunter2" }],
    ["queueUrl", { transport: "sqs", queueUrl: "https://sqs.example/1/hooks?" }],
    ["stream", { ...redis, stream: "redis://:hunter2@r.example" }],
    ["source", { ...kafka, source: "https://example.com/hook?access_token=hunter2" }],
    ["tenant", { ...kafka, tenant: "a&api-key=hunter2" }],
    ["api_token", { ...kafka, api_token: "hunter2" }],
  ])("credentials in %s of %j, and the error does not repeat them", ([field, given]) => {
    const error = refused([given]);
    expect(error).toMatchObject({ field });
    expect(`${error.message}${error.stack}${JSON.stringify(error)}`).not.toContain("hunter2");
  });

  test.for<[object, object]>([
    [{ source: "github" }, {}],
    [{ tenant: "acme" }, { source: "github" }],
    [{ tenant: null }, {}],
    [{ source: "github", tenant: "acme" }, { source: "github" }],
  ])("channels of one address that overlap: %j and %j", ([one, other]) => {
    for (const list of [
      [
        { ...kafka, ...one },
        { ...kafka, ...other },
      ],
      [
        { ...kafka, ...other },
        { ...kafka, ...one },
      ],
    ]) {
      expect(refused(list)).toMatchObject({ field: "source", channel: 1 });
    }
  });

  test("anything at all in a list is a document or this error", () => {
    fc.assert(
      fc.property(fc.array(fc.anything()), fc.anything(), (list, options) => {
        try {
          buildAsyncApi(list as Channel[], options as null);
        } catch (error) {
          expect(isSinkwireError(error, "invalid_channel")).toBe(true);
        }
      }),
    );
  });
});
