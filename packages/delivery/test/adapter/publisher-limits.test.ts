import { describe, expect, test } from "vitest";
import { publisherLimits } from "../../src/adapter/index.js";

describe("publisherLimits", () => {
  test("takes a message of exactly the limit, and refuses one of a byte more for good", () => {
    const { checkSize } = publisherLimits({ maxBytes: 100 }, 1_000);
    checkSize(100);
    expect(() => checkSize(101)).toThrow(
      expect.objectContaining({
        code: "publish_rejected",
        outcome: "not_published",
        retryable: false,
        cause: expect.objectContaining({ code: "message_too_large", size: 101, limit: 100 }),
      }),
    );
  });

  test("has the transport's limit and 30 s by default", () => {
    const { timeoutMs, checkSize } = publisherLimits({}, 1_000);
    expect(timeoutMs).toBe(30_000);
    checkSize(1_000);
    expect(() => checkSize(1_001)).toThrow(expect.objectContaining({ code: "publish_rejected" }));
  });

  test.for([
    ["maxBytes", { maxBytes: 0 }],
    ["timeoutMs", { timeoutMs: 2 ** 31 }],
    ["maxMessages", { inFlight: { maxMessages: 0 } }],
  ] as const)("refuses %s by name", ([field, options]) => {
    expect(() => publisherLimits(options, 1_000)).toThrow(expect.objectContaining({ code: "invalid_hook", field }));
  });
});
