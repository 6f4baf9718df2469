import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { checkNode } from "../src/doctor/check-node.js";
import { isAtLeast } from "../src/doctor/is-at-least.js";
import { ended, sinkwire, spawnNode, temporaryFolder } from "./command.js";
import { message } from "./messages.js";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const URLS = [
  "kafka://127.0.0.1:1/hooks",
  "nats://127.0.0.1:1/hooks",
  "redis://127.0.0.1:1/hooks",
  "amqp://127.0.0.1:1/hooks",
];

describe("publish, tail and doctor without a server", () => {
  test.each(URLS)("%s: exit code 3, and a sentence", async (url) => {
    for (const args of [
      ["publish", url],
      ["tail", url],
      ["doctor", url],
      ["tail", "--json", url],
    ]) {
      const { code, stdout, stderr } = await sinkwire(args, message());
      expect({ args, code }).toEqual({ args, code: 3 });
      expect(stdout.toString() + stderr).toContain(`${url}`);
      expect(stderr).not.toMatch(/\n\s+at /);
      if (args.includes("--json")) {
        expect(JSON.parse(stdout.toString())).toMatchObject({ error: { code: "unreachable" } });
      }
    }
  });

  test.each([
    ["no URL", ["publish"]],
    ["no address", ["publish", "hooks"]],
    ["a scheme that nothing has", ["tail", "mqtt://host/hooks"]],
    ["no subject", ["tail", "nats://127.0.0.1:1"]],
    ["two subjects", ["tail", "nats://127.0.0.1:1/a/b"]],
    ["no stream", ["tail", "redis://127.0.0.1:1/"]],
    ["a database that is none", ["tail", "redis://127.0.0.1:1/x/hooks"]],
    ["no exchange", ["tail", "amqp://127.0.0.1:1"]],
    ["a queue", ["tail", "amqp://127.0.0.1:1/?queue=hooks"]],
    ["no topic", ["tail", "kafka://127.0.0.1:1"]],
    ["a queue of SQS", ["tail", "http://127.0.0.1:1/000000000000/hooks"]],
    ["no queue's URL", ["publish", "https://127.0.0.1:1/hooks"]],
    ["a subscription", ["tail", "pubsub://acme/?subscription=hooks"]],
    ["a subscription to publish to", ["publish", "pubsub://acme/?subscription=hooks"]],
    ["a past that is not kept", ["tail", "--since", "1h", "amqp://127.0.0.1:1/hooks"]],
    ["a time that is none", ["tail", "--since", "yesterday", "nats://127.0.0.1:1/hooks"]],
    ["none at all", ["tail", "--count", "0", "nats://127.0.0.1:1/hooks"]],
    ["claims that are nowhere", ["tail", "--redeem", "nats://127.0.0.1:1/hooks"]],
    ["a store for nothing", ["tail", "--store", "x", "nats://127.0.0.1:1/hooks"]],
    ["two stores", ["tail", "--redeem", "--store", "x", "--gateway", "http://127.0.0.1:1", "nats://127.0.0.1:1/hooks"]],
    ["a hook without its source", ["publish", "nats://127.0.0.1:1/hooks", "--id", "evt_1"]],
    ["a hook without its id", ["publish", "nats://127.0.0.1:1/hooks", "--tenant", "acme"]],
    ["none in flight", ["publish", "nats://127.0.0.1:1/hooks", "--in-flight", "0"]],
  ] as const)("%s is exit code 2", async (_what, args) => {
    const { code, stdout, stderr } = await sinkwire(args, message());
    expect({ code, stdout: stdout.toString() }).toEqual({ code: 2, stdout: "" });
    expect(stderr).not.toBe("");
  });

  test("a client that is not installed is named, with what to install", async () => {
    const folder = temporaryFolder();
    const home = join(folder, "node_modules", "sinkwire");
    cpSync(join(PACKAGE, "dist"), join(home, "dist"), { recursive: true });
    cpSync(join(PACKAGE, "package.json"), join(home, "package.json"));
    const { dependencies } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
    for (const name of Object.keys(dependencies)) {
      const link = join(folder, "node_modules", name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(PACKAGE, "node_modules", name), link);
    }
    const run = (...args: string[]) =>
      ended(spawnNode([join(home, "dist", "cli.js"), ...args], { cwd: folder, env: { NODE_PATH: "" } }));
    const tail = await run("tail", "redis://127.0.0.1:1/hooks");
    expect(tail).toMatchObject({ code: 3, stderr: expect.stringContaining("npm install ioredis") });
    const alone = await run("doctor");
    expect(alone).toMatchObject({ code: 0 });
    expect(alone.stdout.toString()).toMatch(/^– +ioredis: not installed\n +→ for Redis Streams: npm install ioredis@/m);
    const wanted = await run("doctor", "--json", "redis://127.0.0.1:1/hooks");
    expect(wanted.code).toBe(3);
    const { findings } = JSON.parse(wanted.stdout.toString());
    expect(findings).toContainEqual(expect.objectContaining({ subject: "ioredis", status: "fail" }));
    expect(findings).toContainEqual(expect.objectContaining({ subject: "amqplib", status: "absent" }));
  });
});

describe("doctor", () => {
  test("knows an old Node", () => {
    expect(checkNode("20.11.1")).toMatchObject({ status: "fail", advice: expect.stringContaining("20.12") });
    expect(checkNode("20.12.0")).toMatchObject({ status: "pass", advice: null });
  });

  test.each([
    ["3.4.0", "3.4.0", true],
    ["3.10.0", "3.4.0", true],
    ["3.3.9", "3.4.0", false],
    ["4.0.0", "3.4.0", true],
    ["20.12.0-nightly", "20.12", true],
  ])("%s is at least %s: %s", (version, oldest, expected) => {
    expect(isAtLeast(version, oldest)).toBe(expected);
  });
});
