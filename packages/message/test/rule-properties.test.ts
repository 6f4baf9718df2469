import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decodeMessage,
  deliveryId,
  type EncodedMessage,
  encodeMessage,
  formatClaimRef,
  forwardHeaders,
  type HeaderPair,
  type Hook,
  idempotencyKey,
  isSinkwireError,
  type PublishContext,
  parseClaimRef,
  planMessage,
  readMetadata,
  serializeMessage,
} from "../src/index.js";
import {
  bytes,
  claimId,
  claimOf,
  claimTenant,
  context,
  encoded,
  encodedBytes,
  fromUtf8,
  headerName,
  headers,
  hook,
  optionalText,
  text,
  utf8,
  utf16,
} from "./arbitraries.js";
import { mutationsOf } from "./mutations.js";

describe("forwarded headers", () => {
  const NEVER =
    /^(authorization|proxy-authorization|cookie|x-api-key|host|content-length|content-type|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|x-ankusa-.*)$/s;
  const asciiLower = (name: string): string => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const sizeOf = ([name, value]: HeaderPair): number => utf8(name).length + utf8(value).length;

  const forwarding = fc.tuple(
    headers,
    fc.oneof(fc.constant("default" as const), fc.array(headerName, { maxLength: 5 })),
    fc.nat(8),
    fc.nat(100),
  );

  test("keep their caps, and count what they drop", () => {
    fc.assert(
      fc.property(forwarding, ([given, forward, maxHeaders, maxHeaderBytes]) => {
        const { headers: kept, dropped } = forwardHeaders(given, { forward, maxHeaders, maxHeaderBytes });
        const all = forwardHeaders(given, { forward, maxHeaders: 1_000, maxHeaderBytes: 1_000_000 });
        expect(all.dropped).toEqual({ count: 0, bytes: 0 });
        expect(kept.length).toBeLessThanOrEqual(maxHeaders);
        expect(kept.reduce((sum, pair) => sum + sizeOf(pair), 0)).toBeLessThanOrEqual(maxHeaderBytes);
        expect(kept.length + dropped.count + dropped.bytes).toBe(all.headers.length);
        expect(all.headers.filter(([name]) => kept.some(([other]) => other === name))).toEqual(kept);
        expect(dropped.count === 0 || kept.length === maxHeaders).toBe(true);
      }),
    );
  });

  test("whatever is dropped did not fit when its turn came", () => {
    fc.assert(
      fc.property(forwarding, ([given, forward, , maxHeaderBytes]) => {
        const { headers: kept } = forwardHeaders(given, { forward, maxHeaders: 1_000, maxHeaderBytes });
        const all = forwardHeaders(given, { forward, maxHeaders: 1_000, maxHeaderBytes: 1_000_000 });
        let left = maxHeaderBytes;
        for (const pair of all.headers) {
          const isKept = kept.some(([name]) => name === pair[0]);
          expect(sizeOf(pair) <= left).toBe(isKept);
          if (isKept) left -= sizeOf(pair);
        }
      }),
    );
  });

  test("are every allowed name once, values joined in order of arrival", () => {
    fc.assert(
      fc.property(headers, (given) => {
        const joined = new Map<string, string>();
        for (const [original, value] of given) {
          const name = asciiLower(original);
          if (NEVER.test(name)) continue;
          const before = joined.get(name);
          joined.set(name, before === undefined ? value : `${before}, ${value}`);
        }
        expect(forwardHeaders(given, { maxHeaderBytes: 1_000_000 }).headers).toEqual([...joined]);
      }),
    );
  });

  test("a list forwards those of its names that the default would", () => {
    fc.assert(
      fc.property(headers, fc.array(headerName, { maxLength: 5 }), (given, forward) => {
        const caps = { maxHeaders: 1_000, maxHeaderBytes: 1_000_000 };
        const wanted = new Set(forward.map(asciiLower));
        expect(forwardHeaders(given, { ...caps, forward }).headers).toEqual(
          forwardHeaders(given, caps).headers.filter(([name]) => wanted.has(name)),
        );
      }),
    );
  });
});

describe("keys", () => {
  test("the shipped key is the one that a consumer computes", () => {
    fc.assert(
      fc.property(encodedBytes, (message) => {
        const decoded = decodeMessage(message);
        expect(idempotencyKey({ ...decoded, idempotency_key: null })).toBe(decoded.idempotency_key);
        expect(idempotencyKey(decoded)).toBe(decoded.idempotency_key);
      }),
    );
  });

  test("replays are told apart where they are to be, and only there", () => {
    fc.assert(
      fc.property(encodedBytes, optionalText, (message, replay_id) => {
        const decoded = { ...decodeMessage(message), replay_id: replay_id ?? null };
        const key = idempotencyKey(decoded);
        expect(idempotencyKey(decoded, { includeReplay: true })).toBe(replay_id ? `${key}#replay:${replay_id}` : key);
        expect(deliveryId(decoded)).toBe(replay_id ? `${decoded.id}:replay:${replay_id}` : decoded.id);
      }),
    );
  });
});

describe("plan", () => {
  const limits = fc.record({
    inlineMaxBytes: fc.oneof(fc.nat(700), fc.constantFrom(0, 65_536)),
    maxBytes: fc.oneof(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 350, max: 900 })),
    overhead: fc.oneof(
      fc.constant(undefined),
      fc.nat(50).map((size) => () => size),
    ),
  });
  const codeOf = (run: () => EncodedMessage): string => {
    try {
      return run().form;
    } catch (error) {
      if (!isSinkwireError(error)) throw error;
      return error.code;
    }
  };

  test("agrees with encode, at every size around its limits", () => {
    fc.assert(
      fc.property(hook, context, limits, claimTenant, claimId, (given, publish, limit, tenant, id) => {
        const owned = { ...given, tenant_id: tenant };
        const plan = planMessage(owned, publish, limit);
        const bare = codeOf(() => encodeMessage(owned, publish, limit));
        const claimed = codeOf(() =>
          encodeMessage(owned, publish, { ...limit, claim: claimOf(given.body, tenant, id) }),
        );
        expect(claimed).toBe(plan === "too_large" ? "message_too_large" : plan);
        if (plan === "inline") expect(bare).toBe("inline");
        if (plan === "claim") expect(bare).toBe("claim_required");
        if (plan === "too_large") expect(["message_too_large", "claim_required"]).toContain(bare);
      }),
      { numRuns: 500 },
    );
  });

  test("the exact size of a message is its smallest limit", () => {
    fc.assert(
      fc.property(encoded, claimId, ({ given, publish, message }, id) => {
        const inlineMaxBytes = message.form === "inline" ? given.body.length : given.body.length - 1;
        const claim = message.form === "claim" ? claimOf(given.body, given.tenant_id as string, id) : null;
        const fits = { inlineMaxBytes, maxBytes: message.bytes.length };
        expect(planMessage(given, publish, fits)).toBe(message.form);
        expect(codeOf(() => encodeMessage(given, publish, { ...fits, claim }))).toBe(message.form);
        const under = { inlineMaxBytes, maxBytes: message.bytes.length - 1 };
        expect(codeOf(() => encodeMessage(given, publish, { ...under, claim }))).not.toBe(message.form);
      }),
    );
  });
});

describe("claim references", () => {
  test("format and parse are inverse", () => {
    const signature = fc.tuple(fc.stringMatching(/^[1-9][0-9]{0,11}$/), fc.stringMatching(/^[A-Za-z0-9_-]{43}$/));
    fc.assert(
      fc.property(claimTenant, claimId, fc.option(signature), (tenant_id, claim_id, signed) => {
        const parts =
          signed === null
            ? ({ version: 1, tenant_id, claim_id, exp: null, sig: null } as const)
            : ({ version: 2, tenant_id, claim_id, exp: signed[0], sig: signed[1] } as const);
        expect(parseClaimRef(formatClaimRef(parts))).toMatchObject(parts);
      }),
    );
  });

  test("what parses formats to itself, and nothing else throws anything else", () => {
    const refs = fc.tuple(claimTenant, claimId).map(([tenant, id]) => utf8(`urn:ankusa:claim:v1:${tenant}:${id}`));
    fc.assert(
      fc.property(fc.oneof(mutationsOf(refs).map(fromUtf8), text, utf16), (ref) => {
        try {
          expect(formatClaimRef(parseClaimRef(ref))).toBe(ref);
        } catch (error) {
          if (!isSinkwireError(error, "invalid_claim_ref")) throw error;
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("anything at all", () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
    withNullPrototype: true,
  });

  /** Values that fight back when they are looked at. */
  const hostile = fc.constantFrom<() => unknown>(
    () => new Proxy({}, { get: () => raise(), ownKeys: () => raise(), getPrototypeOf: () => raise() }),
    () => new Proxy([], { get: () => raise() }),
    () => {
      const { proxy, revoke } = Proxy.revocable([], {});
      revoke();
      return proxy;
    },
    () => ({
      get ankusa_id(): string {
        return raise();
      },
    }),
    () => [
      [
        "ankusa_id",
        {
          DataType: "String",
          get StringValue(): string {
            return raise();
          },
        },
      ],
    ],
    () => ({ [Symbol.toStringTag]: "Map", [Symbol.iterator]: raise }),
    () => {
      const cycle: unknown[] = ["ankusa_id"];
      cycle.push(cycle, cycle);
      return [cycle, cycle];
    },
    () => ({ ankusa_id: Object.create(null), ankusa_source_id: Symbol("x"), ankusa_tenant_id: 1n }),
    () => new Map([["ankusa_id", new Uint8Array([0xff])]]),
  );

  function raise(): never {
    throw new Error("looked at");
  }

  test("readMetadata never throws, and answers text, null and known problems", () => {
    const names = fc.constantFrom("ankusa_id", "ankusa_tenant_id", "ankusa_idempotency_key", "traceparent", "other");
    const here =
      <T>(value: T) =>
      () =>
        value;
    const values = fc.oneof(text, utf16, bytes, fc.array(fc.integer({ min: -200, max: 300 })), anything);
    const pairs = fc.array(fc.tuple(names, values));
    const containers = fc.oneof(
      hostile,
      fc.tuple(names, hostile).map(([name, make]) => () => [
        [name, make()],
        ["traceparent", make()],
      ]),
      anything.map(here),
      pairs.map(here),
      pairs.map((list) => here(new Map(list))),
      fc.dictionary(names, values).map(here),
    );
    fc.assert(
      fc.property(containers, (make) => {
        const { problems, ...fields } = readMetadata(make());
        for (const value of Object.values(fields)) {
          if (value !== null) expect(value.isWellFormed() && value !== "").toBe(true);
        }
        for (const { problem } of problems) expect(["repeated", "conflict", "unreadable"]).toContain(problem);
      }),
      { numRuns: 500 },
    );
  });

  test("encode, plan and the keys throw nothing but their own errors", () => {
    const loose = fc.record(
      Object.fromEntries(
        ["id", "source_id", "received_at", "body", "headers", "verification", "tenant_id", "dedupe_key"].map((name) => [
          name,
          fc.oneof(anything, utf16),
        ]),
      ),
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(hook, loose, anything), fc.oneof(context, anything), anything, (given, publish, options) => {
        const calls = [
          () => encodeMessage(given as Hook, publish as PublishContext, options as object),
          () => planMessage(given as Hook, publish as PublishContext, options as object),
          () => idempotencyKey(given as never),
          () => deliveryId(given as Hook),
          () => forwardHeaders(given as HeaderPair[], options as object),
          () => serializeMessage(given as never),
          () => parseClaimRef(given as never),
          () => formatClaimRef(given as never),
          () => decodeMessage(given as never),
        ];
        for (const call of calls) {
          try {
            call();
          } catch (error) {
            if (!isSinkwireError(error)) throw error;
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
