import { describe, expect, it } from "vitest";
import {
  ClaimError,
  encodeMessage,
  type Hook,
  InvalidHookError,
  InvalidMessageError,
  isSinkwireError,
  MessageTooLargeError,
  SinkwireError,
} from "../src/index.js";

describe("isSinkwireError", () => {
  it("recognises every class, by code where one is asked for", () => {
    const errors = [
      new SinkwireError("claim_required", "x"),
      new InvalidMessageError("integrity", "x"),
      new InvalidHookError("id", "x"),
      new MessageTooLargeError(2, 1),
      new ClaimError("claim_not_found", "x"),
    ];
    for (const error of errors) {
      expect(isSinkwireError(error)).toBe(true);
      expect(isSinkwireError(error, error.code)).toBe(true);
      expect(isSinkwireError(error, "other")).toBe(false);
      expect(error.docs.endsWith(`/docs/errors/${error.code}.md`)).toBe(true);
      expect(error.name).toBe(error.constructor.name);
    }
  });

  it("refuses whatever else, also what throws when it is looked at", () => {
    const hostile = new Proxy(
      {},
      {
        get() {
          throw new Error("hostile");
        },
      },
    );
    for (const other of [null, undefined, 0, "x", {}, new Error("x"), { code: "integrity" }, hostile]) {
      expect(isSinkwireError(other)).toBe(false);
    }
  });

  it("keeps the first cause", () => {
    const cause = new Error("socket closed");
    expect(new ClaimError("claim_check_unavailable", "x", { cause, retryable: true })).toMatchObject({
      cause,
      retryable: true,
    });
  });
});

describe("encode errors", () => {
  const hook: Hook = { id: "evt_1", source_id: "orders", received_at: 1, body: new Uint8Array(100) };

  it("carry the size that was counted and the limit", () => {
    const claim = { ref: "urn:ankusa:claim:v1:acme:01M39VMD8RA3C5HR4RBV67Y002", sha256: "0".repeat(64) };
    expect(() => encodeMessage(hook, null, { maxBytes: 99, claim })).toThrow(
      expect.objectContaining({ code: "message_too_large", size: 100, limit: 99, retryable: false }),
    );
  });

  it("count the transport's overhead, once and after every check", () => {
    let calls = 0;
    const overhead = (): number => {
      calls++;
      return 1_000;
    };
    expect(() => encodeMessage({ ...hook, id: "" }, null, { overhead })).toThrow(InvalidHookError);
    expect(calls).toBe(0);
    const { bytes, size } = encodeMessage(hook, null, { overhead });
    expect(calls).toBe(1);
    expect(size).toBe(bytes.length + 1_000);
    expect(encodeMessage(hook, null, { overhead, maxBytes: size }).form).toBe("inline");
    expect(() => encodeMessage(hook, null, { overhead, maxBytes: size - 1 })).toThrow(
      expect.objectContaining({ code: "claim_required" }),
    );
  });
});

describe("a body whose memory was taken away", () => {
  it("is refused, not encoded as an empty one", () => {
    const body = new Uint8Array(3);
    structuredClone(body.buffer, { transfer: [body.buffer] });
    expect(() => encodeMessage({ id: "evt_1", source_id: "orders", received_at: 1, body })).toThrow(
      expect.objectContaining({ code: "invalid_hook", field: "body_base64" }),
    );
  });
});
