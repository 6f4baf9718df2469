import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, it } from "vitest";
import { decodeMessage, encodeMessage, type Hook, InvalidMessageError, tryDecodeMessage } from "../src/index.js";

const hook: Hook = {
  id: "evt_1",
  source_id: "orders",
  received_at: 1,
  body: Buffer.from("abc"),
  headers: [["A", "1"]],
};
const { bytes } = encodeMessage(hook);

describe("what a decode accepts", () => {
  it("takes bytes, a Buffer, text, another realm's bytes and shared memory alike", () => {
    const foreign = runInNewContext(`Uint8Array.from([${[...bytes].join(",")}])`) as Uint8Array;
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    const expected = decodeMessage(bytes);
    for (const input of [Buffer.from(bytes), Buffer.from(bytes).toString("utf8"), foreign, shared]) {
      expect(decodeMessage(input)).toEqual(expected);
    }
  });

  it.each([null, undefined, 1, true, {}, [], bytes.buffer, [...bytes], { length: 2 }, new Uint16Array(4)])(
    "refuses %o, which is neither bytes nor text",
    (input) => {
      expect(tryDecodeMessage(input as never)).toMatchObject({ ok: false, error: { code: "invalid_json" } });
    },
  );

  it("refuses a view whose memory was taken away", () => {
    const gone = bytes.slice();
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    expect(tryDecodeMessage(gone)).toMatchObject({ ok: false, error: { code: "invalid_json" } });
  });
});

describe("the limit of stack traces", () => {
  const limit = Object.getOwnPropertyDescriptor(Error, "stackTraceLimit") as PropertyDescriptor;
  afterEach(() => void Object.defineProperty(Error, "stackTraceLimit", limit));

  it.each(["{}", '{"v":1,}'])("is what it was after %s", (text) => {
    Error.stackTraceLimit = 7;
    tryDecodeMessage(text);
    expect(Error.stackTraceLimit).toBe(7);
  });

  it("is not left behind on an engine without one", () => {
    Reflect.deleteProperty(Error, "stackTraceLimit");
    tryDecodeMessage('{"v":1,}');
    expect(Object.hasOwn(Error, "stackTraceLimit")).toBe(false);
  });

  it("may be one that nobody can change", () => {
    Object.defineProperty(Error, "stackTraceLimit", { ...limit, writable: false });
    expect(tryDecodeMessage('{"v":1,}')).toMatchObject({ ok: false, error: { code: "invalid_json" } });
    expect(tryDecodeMessage(bytes)).toMatchObject({ ok: true });
  });
});

describe("what a decode gives", () => {
  it("owns the body's memory", () => {
    const input = bytes.slice();
    const { body } = decodeMessage(input);
    if (body.form !== "inline") throw new Error("expected an inline body");
    expect(body.bytes.buffer.byteLength).toBe(3);
    input.fill(0);
    expect(Buffer.from(body.bytes).toString()).toBe("abc");
  });

  it("is a valid message again through JSON.stringify, also for a claim", () => {
    const claim = {
      ref: "urn:ankusa:claim:v1:acme:01M39VMD8RA3C5HR4RBV67Y002",
      sha256: decodeMessage(bytes).sha256 ?? "",
    };
    const large = encodeMessage({ ...hook, tenant_id: "acme" }, { ordering_key: "k" }, { inlineMaxBytes: 0, claim });
    for (const message of [decodeMessage(bytes), decodeMessage(large.bytes)]) {
      expect(decodeMessage(JSON.stringify(message))).toEqual(message);
    }
  });

  it("keeps inherited names as plain data", () => {
    const text = Buffer.from(bytes).toString("utf8");
    const headers = '{"__proto__":"p","constructor":"c","toString":"t"}';
    const message = decodeMessage(text.replace('{"a":"1"}', headers));
    expect(Object.keys(message.headers).sort()).toEqual(["__proto__", "constructor", "toString"]);
    expect(decodeMessage(bytes).headers["constructor"]).toBeUndefined();
    expect("toString" in decodeMessage(bytes).headers).toBe(false);
    expect(({} as Record<string, unknown>)["p"]).toBeUndefined();
  });

  it("throws an error that says what and why, and never quotes the message", () => {
    const secret = Buffer.from(bytes).toString("utf8").replace('"id":"evt_1"', '"id":"","secret":"hunter2"');
    const error = caught(() => decodeMessage(secret));
    expect(error).toBeInstanceOf(InvalidMessageError);
    expect(error).toMatchObject({ code: "invalid_field", field: "id", retryable: false });
    expect(String(error)).not.toContain("hunter2");
  });

  it("says that a schema registry may have framed the message", () => {
    expect(tryDecodeMessage(Buffer.concat([Buffer.alloc(5), bytes]))).toMatchObject({
      error: { code: "invalid_json", message: expect.stringContaining("schema-registry") },
    });
  });
});

describe("in a process where Object.prototype was polluted", () => {
  afterEach(() => {
    for (const name of ["claim", "tenant_id", "toString2"]) delete (Object.prototype as Record<string, unknown>)[name];
  });

  it("reads own names only", () => {
    Object.assign(Object.prototype, { claim: "urn:ankusa:claim:v1:acme:x", tenant_id: 5, toString2: 1 });
    const { tenant_id, ...rest } = JSON.parse(Buffer.from(bytes).toString("utf8")) as Record<string, unknown>;
    expect(tenant_id).toBeNull();
    expect(decodeMessage(JSON.stringify(rest))).toMatchObject({ id: "evt_1", tenant_id: null });
  });
});

function caught(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error("expected an error");
}
