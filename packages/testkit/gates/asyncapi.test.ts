import { join } from "node:path";
import { Parser } from "@asyncapi/parser";
import { buildAsyncApi, type Channel } from "@sinkwire/asyncapi";
import type { Hook } from "@sinkwire/message";
import { toNats } from "@sinkwire/nats";
import { toRabbitmq } from "@sinkwire/rabbitmq";
import { toSqs } from "@sinkwire/sqs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { channel, channels } from "../../asyncapi/test/channels.js";
import { ROOT } from "../src/checks/workspace.js";

/** A parse takes seconds. */
const NUM_RUNS = 4;

/** One channel of each transport, and a second message on one of them. */
const EXAMPLES: readonly Channel[] = [
  { transport: "kafka", servers: ["kafka://kafka.example:9092"], topic: "hooks", source: "github", tenant: "acme" },
  { transport: "kafka", servers: ["kafka://kafka.example:9092"], topic: "hooks", source: "stripe", tenant: null },
  { transport: "nats", servers: ["nats://nats.example:4222"], subject: "hooks.github", source: "github" },
  { transport: "rabbitmq", servers: ["amqps://rabbitmq.example:5671/hooks"], exchange: "hooks" },
  { transport: "redis", servers: ["redis://redis.example:6379"], stream: "hooks", tenant: "acme" },
  { transport: "sqs", queueUrl: "https://sqs.eu-central-1.amazonaws.com/123456789012/hooks.fifo", source: "github" },
  { transport: "google-pubsub", topic: "projects/example/topics/hooks", actions: ["receive"] },
];
const TEXT = `${JSON.stringify(buildAsyncApi(EXAMPLES, { title: "sinkwire, one channel of each transport" }), null, 2)}\n`;

/** What `@asyncapi/parser` calls an error, in words. */
async function errorsOf(json: string): Promise<readonly string[]> {
  const { diagnostics } = await new Parser().parse(json);
  return diagnostics
    .filter(({ severity }) => severity === 0)
    .map(({ code, path, message }) => `${code} at ${path.join(".")}: ${message}`);
}

test("schemas/asyncapi.json is what the builder makes of the examples today", async () => {
  await expect(TEXT).toMatchFileSnapshot(join(ROOT, "schemas", "asyncapi.json"));
});

test("the parser finds no error in it, and one in a broken one", async () => {
  expect(await errorsOf(TEXT)).toEqual([]);
  const broken = TEXT.replace('"action": "send"', '"action": "publish"');
  expect(await errorsOf(broken)).not.toEqual([]);
});

test("the parser finds no error in the document of any list of channels", async () => {
  await fc.assert(
    fc.asyncProperty(channels, async (list) => {
      expect(await errorsOf(JSON.stringify(buildAsyncApi(list)))).toEqual([]);
    }),
    { numRuns: NUM_RUNS },
  );
});

test("an address that a document can have is one that the mappings take", () => {
  const hook = (one: Channel): Hook => ({
    ...{ id: "evt_1", source_id: one.source ?? "github", received_at: 0, body: new Uint8Array() },
  });
  fc.assert(
    fc.property(channel, (one) => {
      buildAsyncApi([one]);
      if (one.transport === "nats") toNats(hook(one), null, one);
      if (one.transport === "rabbitmq") toRabbitmq(hook(one), null, one);
      if (one.transport === "sqs") toSqs(hook(one), null, one);
    }),
  );
});
