import { describe, expect, test } from "vitest";
import { hostAndPort, parseAddress } from "../src/transports/address.js";
import { chooseTransport } from "../src/transports/index.js";

describe("an address", () => {
  test("is taken apart, and shown without its password", () => {
    const address = parseAddress("amqps://user%40a:p%3Ass%2Fword@host:5671/v%2Fhost/hooks?key=a.b");
    expect(address).toMatchObject({
      scheme: "amqps",
      host: "host:5671",
      username: "user@a",
      password: "p:ss/word",
      path: ["v/host", "hooks"],
      shown: "amqps://user%40a:***@host:5671/v%2Fhost/hooks?key=a.b",
    });
    expect(address.query.get("key")).toBe("a.b");
  });

  test.each<[url: string, host: string, port: number]>([
    ["redis://127.0.0.1:1/x", "127.0.0.1", 1],
    ["redis://host/x", "host", 6_379],
    ["redis://[::1]:7/x", "::1", 7],
    ["redis://[::1]/x", "::1", 6_379],
  ])("%s names a host and a port", (url, host, port) => {
    expect(hostAndPort(parseAddress(url), 6_379)).toEqual({ host, port });
  });

  test("a user without a password is a token, and not shown", () => {
    expect(parseAddress("nats://s3cr3t@host/hooks")).toMatchObject({
      username: "s3cr3t",
      password: null,
      shown: "nats://***@host/hooks",
    });
  });

  test("several servers are one address", () => {
    expect(parseAddress("kafka://a:1,b:2/hooks").host).toBe("a:1,b:2");
  });

  test.each([
    "",
    "host/hooks",
    "nats:hooks",
    "nats://",
    "nats:///hooks",
    "redis://user:s3cr3t/x@host/hooks",
    "redis://user:s3cr3t@x@host/hooks",
    "redis://user:s3cr3t#x@host/hooks",
    "redis://user:s3cr3t?x@host/hooks",
    "redis://host:s3cr3t/hooks",
    "redis://s3cr3t host/hooks",
    "redis://host/hooks%2",
    "gopher://user:s3cr3t@host/hooks",
  ])("%j is refused without being repeated", (url) => {
    expect(() => chooseTransport(url)).toThrow(
      expect.objectContaining({ name: "UsageError", message: expect.not.stringContaining("s3cr3t") }),
    );
  });

  test("no control character is shown", () => {
    expect(parseAddress("redis://host/a\u001b[2J").shown).toBe("redis://host/a\\u001b[2J");
  });
});
