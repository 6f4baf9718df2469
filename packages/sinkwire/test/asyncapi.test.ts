import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AsyncApiOptions, buildAsyncApi, type Channel } from "@sinkwire/asyncapi";
import { describe, expect, test } from "vitest";
import { sinkwire, temporaryFolder } from "./command.js";

const channels: readonly Channel[] = [
  { transport: "kafka", servers: ["kafka://broker.example:9092"], topic: "hooks", source: "github" },
  { transport: "google-pubsub", topic: "hooks" },
];
const options: AsyncApiOptions = { title: "Hooks of acme", version: "2.0.0" };
const config = JSON.stringify({ ...options, channels });

describe("asyncapi", () => {
  test("writes the document that buildAsyncApi gives, from a file and from standard input", async () => {
    const file = join(temporaryFolder(), "channels.json");
    writeFileSync(file, config);
    const document = buildAsyncApi(channels, options);
    const read = await sinkwire(["asyncapi", "--config", file]);
    expect(read).toMatchObject({ code: 0, stderr: "" });
    expect(read.stdout.toString()).toBe(`${JSON.stringify(document, null, 2)}\n`);
    const { stdout } = await sinkwire(["asyncapi", "--config", "-", "--json"], config);
    expect(stdout.toString()).toBe(`${JSON.stringify(document)}\n`);
  });

  test("a channel that cannot be used is exit code 2, by name", async () => {
    const given = JSON.stringify({ channels: [...channels, { ...channels[0], topic: "a b" }] });
    const { code, stdout, stderr } = await sinkwire(["asyncapi", "--config", "-", "--json"], given);
    expect(code).toBe(2);
    expect(stderr).toContain("invalid_channel: channels[2].topic: ");
    expect(JSON.parse(stdout.toString())).toMatchObject({ error: { code: "invalid_channel", field: "topic" } });
  });

  test.for([
    ["no configuration", ["asyncapi"], ""],
    ["no such file", ["asyncapi", "--config", "not-there.json"], ""],
    ["what is not JSON", ["asyncapi", "--config", "-"], '{ "password": hunter2 }'],
    ["what is not UTF-8", ["asyncapi", "--config", "-"], Buffer.from('{"title":"\xff hunter2"}', "latin1")],
    ["no object", ["asyncapi", "--config", "-"], '["hunter2"]'],
    ["no channels", ["asyncapi", "--config", "-"], '{ "title": "hunter2" }'],
    ["an unknown name", ["asyncapi", "--config", "-"], '{ "channels": [], "token": "hunter2" }'],
    ["a name of a prototype", ["asyncapi", "--config", "-"], '{ "channels": [], "__proto__": { "title": "hunter2" } }'],
    [
      "credentials",
      ["asyncapi", "--config", "-"],
      '{ "channels": [{ "transport": "nats", "servers": ["nats://u:hunter2@n"], "subject": "hooks" }] }',
    ],
  ] as const)("%s is exit code 2, and nothing of it is shown", async ([, args, input]) => {
    const { code, stdout, stderr } = await sinkwire(args, input);
    expect({ code, stdout: stdout.toString() }).toEqual({ code: 2, stdout: "" });
    expect(stderr).not.toBe("");
    expect(stderr).not.toContain("hunter2");
  });
});
