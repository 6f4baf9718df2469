import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decodeMessage,
  encodeMessage,
  forwardHeaders,
  InvalidMessageError,
  isSinkwireError,
  serializeMessage,
  tryDecodeMessage,
} from "../src/index.js";
import {
  bytes,
  choices,
  context,
  encoded,
  encodedBytes,
  fromUtf8,
  headers,
  hook,
  respell,
  sha256,
  text,
  utf8,
  utf16,
  walk,
} from "./arbitraries.js";
import { mutationsOf } from "./mutations.js";

const DECODE_CODES = [
  "invalid_json",
  "not_an_object",
  "unsupported_version",
  "invalid_field",
  "ambiguous_body",
  "missing_body",
  "invalid_body_base64",
  "size_mismatch",
  "integrity",
  "tenant_mismatch",
];

describe("round trip", () => {
  test("decoding what was encoded gives the hook back", () => {
    fc.assert(
      fc.property(encoded, ({ given, publish, message }) => {
        const decoded = decodeMessage(message.bytes);
        expect({ ...decoded }).toEqual({
          v: 1,
          id: given.id,
          source_id: given.source_id,
          tenant_id: given.tenant_id ?? null,
          received_at: given.received_at,
          content_type: given.content_type ?? null,
          size: given.body.length,
          dedupe_key: given.dedupe_key ?? null,
          replay_id: publish.replay_id ?? null,
          idempotency_key: given.dedupe_key
            ? `${given.tenant_id ?? "default"}:${given.source_id}:${given.dedupe_key}`
            : given.id,
          verification: given.verification ?? { status: "skipped", flagged: false },
          headers: decoded.headers,
          traceparent: given.traceparent ?? null,
          tracestate: given.tracestate ?? null,
          instance: publish.instance ?? null,
          region: publish.region ?? null,
          ordering_key: publish.ordering_key || null,
          sha256: sha256(given.body),
          body: decoded.body,
        });
        expect(decoded.body.form).toBe(message.form);
        if (decoded.body.form === "inline") expect(Buffer.compare(decoded.body.bytes, given.body)).toBe(0);
        const forwarded = forwardHeaders(given.headers, publish);
        expect(new Map(Object.entries(decoded.headers))).toEqual(new Map(forwarded.headers));
        expect(message.dropped).toEqual(forwarded.dropped);
        expect(message.size).toBe(message.bytes.length);
      }),
    );
  });

  test("JSON.stringify of a decoded message is the same message", () => {
    fc.assert(
      fc.property(encodedBytes, (message) => {
        const decoded = decodeMessage(message);
        expect(decodeMessage(JSON.stringify(decoded))).toEqual(decoded);
      }),
    );
  });

  test("bytes and their text decode alike", () => {
    fc.assert(
      fc.property(encodedBytes, (message) => {
        expect(decodeMessage(fromUtf8(message))).toEqual(decodeMessage(message));
      }),
    );
  });
});

describe("canonical form", () => {
  test("serializing what was decoded from canonical bytes is the identity", () => {
    fc.assert(
      fc.property(encodedBytes, (message) => {
        expect(fromUtf8(serializeMessage(decodeMessage(message)))).toBe(fromUtf8(message));
      }),
    );
  });

  test("every spelling of a message decodes to it and serializes to its canonical bytes", () => {
    fc.assert(
      fc.property(encodedBytes, fc.dictionary(text, fc.jsonValue()), choices, (message, unknown, numbers) => {
        const value: Record<string, unknown> = JSON.parse(fromUtf8(message));
        const extra = Object.entries(unknown).filter(
          ([name]) => !(name in value) && name !== "ordering_key" && name !== "claim" && name !== "body_base64",
        );
        const spelled = respell({ ...Object.fromEntries(extra), ...value }, walk(numbers));
        expect(decodeMessage(spelled)).toEqual(decodeMessage(message));
        expect(fromUtf8(serializeMessage(decodeMessage(utf8(spelled))))).toBe(fromUtf8(message));
      }),
    );
  });

  test("names stand in one order, header names in the order of their UTF-8", () => {
    fc.assert(
      fc.property(encodedBytes, (message) => {
        const json = fromUtf8(message);
        const headersJson = /"headers":(\{.*?\}),"traceparent":/su.exec(json)?.[1] ?? "";
        const names = [...headersJson.matchAll(/[{,]("(?:[^"\\]|\\.)*"):"(?:[^"\\]|\\.)*"/gsu)].map(([, name]) =>
          Buffer.from(JSON.parse(name as string) as string),
        );
        expect(names).toEqual([...names].sort(Buffer.compare));
        // biome-ignore lint/suspicious/noControlCharactersInRegex: what canonical text must not hold
        expect(json).not.toMatch(/[\u0000-\u001f\ufffe\uffff]/);
      }),
    );
  });
});

describe("decode", () => {
  /** Decodes anything: the result is a message that survives a serialize, or an error of the list. */
  function decodes(input: Uint8Array | string): void {
    const result = tryDecodeMessage(input);
    if (result.ok) {
      const again = decodeMessage(serializeMessage(result.message));
      const nullOrderingKey = result.message.ordering_key || null;
      expect({ ...again }).toEqual({ ...result.message, ordering_key: nullOrderingKey });
      return;
    }
    const { code, field, retryable, message } = result.error;
    expect(DECODE_CODES).toContain(code);
    expect(typeof field).toBe(code === "invalid_field" ? "string" : "object");
    expect(retryable).toBe(false);
    let thrown: unknown;
    try {
      decodeMessage(input);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(InvalidMessageError);
    expect(thrown).toMatchObject({ code, field, retryable, message });
  }

  test("any bytes", () => {
    fc.assert(fc.property(fc.uint8Array({ size: "large" }), decodes));
  });

  test("any text, well-formed or not", () => {
    fc.assert(fc.property(fc.oneof(text, utf16), decodes));
  });

  test("any JSON", () => {
    fc.assert(fc.property(fc.json({ maxDepth: 6 }), decodes));
  });

  test("any JSON under the names of a message", () => {
    const item = fc.oneof(fc.jsonValue(), text, fc.constantFrom(0, 1, 2, 1.5, -1, "", null));
    const names = ["v", "id", "source_id", "received_at", "size", "tenant_id", "headers", "verification", "sha256"];
    const shape = Object.fromEntries([...names, "claim", "body_base64", "ordering_key"].map((name) => [name, item]));
    fc.assert(fc.property(fc.record(shape, { requiredKeys: [] }), (value) => decodes(JSON.stringify(value))));
  });

  test("one field of a valid message replaced", () => {
    fc.assert(
      fc.property(encodedBytes, fc.nat(), fc.jsonValue(), (message, at, value) => {
        const parsed: Record<string, unknown> = JSON.parse(fromUtf8(message));
        const names = Object.keys(parsed);
        decodes(JSON.stringify({ ...parsed, [names[at % names.length] as string]: value }));
      }),
    );
  });

  test("mutations of valid messages", () => {
    fc.assert(fc.property(mutationsOf(encodedBytes), decodes), { numRuns: 1_000 });
  });

  test("a name that stands twice is refused, however it is spelled", () => {
    fc.assert(
      fc.property(
        encodedBytes,
        text,
        fc.jsonValue(),
        fc.jsonValue(),
        choices,
        (message, name, first, second, numbers) => {
          const pick = walk(numbers);
          const twice = `{${respell(name, pick)}:${JSON.stringify(first)},${respell(name, pick)}:${JSON.stringify(second)}}`;
          const nested = fromUtf8(message).replace(/\}$/, () => `,"\\u0000unknown":${twice}}`);
          expect(tryDecodeMessage(nested)).toMatchObject({ ok: false, error: { code: "invalid_json" } });
        },
      ),
    );
  });

  test("the body shares no memory with the input", () => {
    fc.assert(
      fc.property(hook, (given) => {
        const input = encodeMessage(given).bytes;
        const { body } = decodeMessage(input);
        input.fill(0);
        expect(body).toEqual({ form: "inline", bytes: new Uint8Array(given.body) });
      }),
    );
  });
});

describe("web build", async () => {
  const web = (await import(new URL("../dist/web.js", import.meta.url).href)) as typeof import("../src/index.js");

  test("encodes the same bytes", () => {
    fc.assert(
      fc.property(hook, context, (given, publish) => {
        expect(web.encodeMessage(given, publish)).toEqual(encodeMessage(given, publish));
      }),
    );
  });

  test("decodes and refuses alike", () => {
    fc.assert(
      fc.property(fc.oneof(mutationsOf(encodedBytes), encodedBytes, bytes), (input) => {
        const here = tryDecodeMessage(input);
        const there = web.tryDecodeMessage(input);
        expect(JSON.stringify(there)).toBe(JSON.stringify(here));
        if (here.ok && there.ok) expect(web.serializeMessage(there.message)).toEqual(serializeMessage(here.message));
      }),
      { numRuns: 500 },
    );
  });

  test("counts UTF-8 alike", () => {
    fc.assert(
      fc.property(headers, fc.nat(60), (given, maxHeaderBytes) => {
        expect(web.forwardHeaders(given, { maxHeaderBytes })).toEqual(forwardHeaders(given, { maxHeaderBytes }));
      }),
    );
  });

  test("its errors are recognised here", () => {
    expect(() => web.decodeMessage("{")).toThrow(expect.toSatisfy((error) => isSinkwireError(error, "invalid_json")));
  });
});
