import type { connect } from "amqplib";
import { describe, expect, test } from "vitest";
import { attemptOf } from "../src/attempt.js";
import { createBell } from "../src/bell.js";
import { isFinal } from "../src/consume-error.js";
import { headerPairs } from "../src/header-pairs.js";
import { createRabbitmqConsumer, createRabbitmqPublisher, type RabbitmqConnection } from "../src/index.js";
import { confirmErrorOf } from "../src/publish-error.js";

/** What amqplib connects fits without a cast, recovering or not. */
const accepts = (connection: Awaited<ReturnType<typeof connect>>): RabbitmqConnection => connection;

const connection = undefined as unknown as ReturnType<typeof accepts>;

describe("an option that cannot be used is refused, before the connection is looked at", () => {
  test.each([
    [{ exchange: undefined as unknown as string }, "exchange"],
    [{ exchange: "x".repeat(256) }, "exchange"],
    [{ exchange: "\ud800" }, "exchange"],
    [{ routingKey: "x".repeat(256) }, "routing_key"],
    [{ maxBytes: 0 }, "maxBytes"],
    [{ timeoutMs: 1.5 }, "timeoutMs"],
    [{ timeoutMs: 2 ** 31 }, "timeoutMs"],
    [{ inFlight: { maxMessages: 0 } }, "maxMessages"],
  ])("publisher: %j", (options, field) => {
    expect(() => createRabbitmqPublisher({ connection, exchange: "hooks", ...options })).toThrow(
      expect.objectContaining({ code: "invalid_hook", field }),
    );
  });

  test.each([
    [{ queue: "" }, "queue"],
    [{ queue: "x".repeat(256) }, "queue"],
    [{ prefetch: 0 }, "prefetch"],
    [{ prefetch: 65_536 }, "prefetch"],
    [{ maxHoldMs: 0 }, "maxHoldMs"],
  ])("consumer: %j", (options, field) => {
    expect(() => createRabbitmqConsumer({ connection, queue: "billing", ...options })).toThrow(
      expect.objectContaining({ code: "invalid_hook", field }),
    );
  });
});

describe("an unconfirmed message", () => {
  const to = { exchange: "hooks", routingKey: "ankusa.orders", bytes: 4_096 };
  const nack = new Error("message nacked");
  const closed = new Error("channel closed");

  test("that was nacked was not published", () => {
    expect(confirmErrorOf(nack, null, to)).toMatchObject({ code: "publish_failed", outcome: "not_published" });
  });

  test("whose channel closed may have been, and the error says why it closed", () => {
    const why = new Error("Channel closed by server: 404 (NOT-FOUND) with message \"NOT_FOUND - no exchange 'hooks'\"");
    expect(confirmErrorOf(closed, null, to)).toMatchObject({ code: "publish_failed", outcome: "unknown" });
    expect(confirmErrorOf(closed, why, to)).toMatchObject({
      outcome: "unknown",
      message: expect.stringContaining("no exchange 'hooks'"),
      cause: why,
    });
  });

  test.each([
    "PRECONDITION_FAILED - message size 4096 is larger than configured max size 2048",
    "PRECONDITION_FAILED - message size 4096 is larger than max size 2048",
  ])("that is the too large one will never be: %s", (text) => {
    const why = new Error(`Channel closed by server: 406 (PRECONDITION-FAILED) with message "${text}"`);
    expect(confirmErrorOf(closed, why, to)).toMatchObject({ code: "publish_rejected", outcome: "not_published" });
    expect(confirmErrorOf(closed, why, { ...to, bytes: 2_048 })).toMatchObject({ outcome: "unknown" });
  });
});

describe("a consumer", () => {
  const refused = (code: number, message: string) => Object.assign(new Error(message), { code });

  test.each([
    new Error("Connection closed"),
    new Error("Connection closed (Error: Unexpected close)"),
    new Error("Connection closing"),
    refused(
      404,
      "Operation failed: BasicConsume; 404 (NOT-FOUND) with message \"NOT_FOUND - no queue 'q' in vhost '/'\"",
    ),
    refused(403, "ACCESS_REFUSED"),
    refused(405, "RESOURCE_LOCKED"),
    refused(406, "PRECONDITION_FAILED"),
  ])("ends by: %s", (error) => {
    expect(isFinal(error, null)).toBe(true);
  });

  test.each([
    new Error("Channel ended, no reply will be forthcoming"),
    new Error("Channel closed"),
    refused(404, "NOT_FOUND - queue 'q' in vhost '/' process is stopped by supervisor"),
    refused(404, "NOT_FOUND - home node 'rabbit@a' of durable queue 'q' in vhost '/' is down or inaccessible"),
    "no error",
  ])("goes on after: %s", (error) => {
    expect(isFinal(error, null)).toBe(false);
    expect(isFinal(error, error)).toBe(true);
  });
});

test("attempts are counted where the server counts, and known where there was none before", () => {
  const attempt = (redelivered: boolean, count?: unknown): number | null =>
    attemptOf({
      content: Buffer.alloc(0),
      fields: { deliveryTag: 1, redelivered },
      properties: { headers: count === undefined ? undefined : { "x-delivery-count": count } },
    });
  expect(attempt(false)).toBe(1);
  expect(attempt(false, 7)).toBe(1);
  expect(attempt(true, 0)).toBe(1);
  expect(attempt(true, 3)).toBe(4);
  expect([undefined, -1, 0.5, "3", 2 ** 53, Number.NaN].map((count) => attempt(true, count))).toEqual(
    Array.from({ length: 6 }, () => null),
  );
});

test("headers are text and bytes, without tables and lists", () => {
  const bytes = Buffer.from([0xff]);
  const headers = { a: "ä", b: bytes, n: 1.5, yes: true, none: undefined, nil: null, "x-death": [{ count: 1 }], t: {} };
  expect(headerPairs(headers)).toEqual([
    ["a", "ä"],
    ["b", bytes],
    ["n", "1.5"],
    ["yes", "true"],
  ]);
  expect(headerPairs(undefined)).toEqual([]);
});

test("a bell wakes all that wait, and ends no wait that an abort has ended", async () => {
  const bell = createBell();
  const { signal } = new AbortController();
  const stop = new AbortController();
  const stopped = bell.wait(stop.signal);
  stop.abort(new Error("stopped"));
  await expect(stopped).rejects.toThrow("stopped");
  await expect(bell.wait(stop.signal)).rejects.toThrow("stopped");

  const waits = [bell.wait(signal), bell.wait(signal)];
  bell.ring();
  await Promise.all(waits);
  const failing = bell.wait(signal);
  bell.fail(new Error("failed"));
  await expect(failing).rejects.toThrow("failed");
});
