import { afterEach, describe, expect, it } from "vitest";
import {
  decodeMessage,
  encodeMessage,
  type Hook,
  InvalidMessageError,
  isSinkwireError,
  readMetadata,
  serializeMessage,
  tryDecodeMessage,
} from "../src/index.js";

const hook: Hook = {
  id: "evt_1",
  source_id: "orders",
  tenant_id: "acme",
  received_at: 1,
  body: Buffer.from("ab"),
  headers: [["A", "1"]],
};
const { bytes } = encodeMessage(hook);
const message = decodeMessage(bytes);
const text = Buffer.from(bytes).toString("utf8");
const sparse = <T>(...values: [number, T][]): T[] => {
  const array: T[] = [];
  for (const [index, value] of values) array[index] = value;
  return array;
};

describe("where Object.prototype was polluted", () => {
  const polluted = Object.prototype as unknown as Record<string, unknown>;
  const pollute = (names: Record<string, unknown>): void => void Object.assign(polluted, names);
  afterEach(() => {
    for (const name of Object.keys(polluted)) delete polluted[name];
  });

  it.each([
    ["code", "x"],
    ["reason", "x"],
    ["toJSON", () => "X"],
    ["get", () => "x"],
    ["set", () => {}],
    ["retryable", true],
    ["tenant_id", "other"],
    ["a", "from the prototype"],
  ])("%s changes no answer", (name, value) => {
    pollute({ [name]: value });
    const decoded = decodeMessage(bytes);
    const written = Buffer.from(serializeMessage(decoded)).toString("utf8");
    const encoded = Buffer.from(encodeMessage(hook).bytes).toString("utf8");
    let error: unknown;
    try {
      decodeMessage("{");
    } catch (caught) {
      error = caught;
    }
    delete polluted[name];
    expect(written).toBe(text);
    expect(encoded).toBe(text);
    expect(error).toBeInstanceOf(InvalidMessageError);
    expect(error).toMatchObject({ name: "InvalidMessageError", code: "invalid_json", retryable: false });
    expect(isSinkwireError(error)).toBe(true);
  });
});

describe("bytes that lie", () => {
  class Longer extends Uint8Array {
    override get length(): number {
      return 99;
    }
  }
  class Throwing extends Uint8Array {
    override get length(): number {
      throw new Error("hostile");
    }
  }

  it.each([
    ["about their length", () => new Longer(2)],
    ["about their byte length", () => Object.defineProperty(new Uint8Array(2), "byteLength", { value: 1 })],
  ])("%s are refused", (_name, make) => {
    expect(() => encodeMessage({ ...hook, body: make() })).toThrow(
      expect.objectContaining({ code: "invalid_hook", field: "body_base64" }),
    );
    expect(tryDecodeMessage(make())).toMatchObject({ ok: false, error: { code: "invalid_json" } });
  });

  it("and throw when asked are refused", () => {
    expect(tryDecodeMessage(new Throwing(2))).toMatchObject({ ok: false, error: { code: "invalid_json" } });
  });

  it("and shrank out of bounds are refused", () => {
    const buffer = new (ArrayBuffer as unknown as new (n: number, o: { maxByteLength: number }) => ArrayBuffer)(8, {
      maxByteLength: 8,
    });
    const body = new Uint8Array(buffer, 4, 4);
    (buffer as unknown as { resize(n: number): void }).resize(2);
    expect(() => encodeMessage({ ...hook, body })).toThrow(
      expect.objectContaining({ code: "invalid_hook", field: "body_base64" }),
    );
  });
});

describe("values that change between two looks", () => {
  it("are looked at once", () => {
    const ref = "urn:ankusa:claim:v1:acme:01M39VMD8RA3C5HR4RBV67Y002";
    let looks = 0;
    const claim = {
      get ref() {
        return looks++ === 0 ? ref : "not-a-ref";
      },
      sha256: message.sha256 ?? "",
    };
    const header = ["A", "1"];
    let valueLooks = 0;
    Object.defineProperty(header, 1, { get: () => (valueLooks++ === 0 ? "1" : "\ud800") });
    const headers = [header as unknown as [string, string]];
    const encoded = encodeMessage({ ...hook, headers }, null, { inlineMaxBytes: 0, claim });
    expect(decodeMessage(encoded.bytes)).toMatchObject({ body: { form: "claim", ref }, headers: { a: "1" } });
  });
});

describe("odd arguments", () => {
  it.each([
    ["overhead", () => encodeMessage(hook, null, { overhead: 5 as never })],
    ["overhead", () => encodeMessage(hook, null, { overhead: () => -1 })],
    ["forward", () => encodeMessage(hook, { forward: sparse([1, "a"]) })],
    ["headers", () => encodeMessage({ ...hook, headers: sparse([1, ["a", "b"] as const]) })],
  ])("%s that cannot be used is invalid_hook", (field, run) => {
    expect(run).toThrow(expect.objectContaining({ code: "invalid_hook", field }));
  });

  it.each([new Map([["a", "b"]]), new Date(), new Headers({ a: "b" }), [], "x", 5])(
    "headers of a hand-made message that are no plain object are refused: %o",
    (headers) => {
      expect(() => serializeMessage({ ...message, headers } as never)).toThrow(
        expect.objectContaining({ code: "invalid_field", field: "headers" }),
      );
    },
  );

  it("a list is no message", () => {
    expect(() => serializeMessage([] as never)).toThrow(expect.objectContaining({ code: "not_an_object" }));
  });

  it("more bytes than a string holds are refused", { timeout: 60_000 }, () => {
    const huge = new Uint8Array(0x2000_0000).fill(0x20);
    expect(tryDecodeMessage(huge, { maxBytes: 2 ** 31 })).toMatchObject({ ok: false, error: { code: "invalid_json" } });
  });
});

describe("metadata full of holes or traps", () => {
  it("is read in bounded time", () => {
    expect(readMetadata({ ankusa_id: new Array(2 ** 32 - 1), ankusa_source_id: "s" })).toMatchObject({
      id: null,
      source_id: "s",
      problems: [{ name: "ankusa_id", problem: "unreadable" }],
    });
    expect(readMetadata(new Array(2 ** 32 - 1))).toMatchObject({ id: null, problems: [] });
  });

  it("takes a hole for absent, never for a zero byte", () => {
    expect(readMetadata({ ankusa_id: new Array(3) })).toMatchObject({ id: null, problems: [] });
    expect(readMetadata({ ankusa_id: sparse([1, 97]) })).toMatchObject({
      id: null,
      problems: [{ name: "ankusa_id", problem: "unreadable" }],
    });
  });

  it("loses only the value behind a getter that throws", () => {
    const metadata = {
      ankusa_source_id: "s",
      get ankusa_id(): string {
        throw new Error("hostile");
      },
      ankusa_tenant_id: "acme",
    };
    expect(readMetadata(metadata)).toMatchObject({
      id: null,
      source_id: "s",
      tenant_id: "acme",
      problems: [{ name: "ankusa_id", problem: "unreadable" }],
    });
  });
});
