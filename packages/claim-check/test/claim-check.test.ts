import { decodeMessage, type Hook, parseClaimRef } from "@sinkwire/message";
import { describe, expect, test } from "vitest";
import {
  type ClaimCheckOptions,
  type ClaimStore,
  claimIdParts,
  createClaimCheck,
  memoryStore,
  readClaim,
} from "../src/index.js";
import { bytesOf, failureOf, sha256 } from "./support.js";

const BIG = new Uint8Array(70_000).fill(7);
const HOOK: Hook = {
  id: "evt_1",
  source_id: "github",
  tenant_id: "acme",
  received_at: 1_790_258_591_000,
  content_type: "application/json",
  body: BIG,
};

/** A memory store that keeps a list of what was put. */
function spiedStore(): { store: ClaimStore; puts: { key: string; bytes: Uint8Array }[] } {
  const memory = memoryStore();
  const puts: { key: string; bytes: Uint8Array }[] = [];
  const store: ClaimStore = {
    put: (key, bytes, options) => {
      puts.push({ key, bytes });
      return memory.put(key, bytes, options);
    },
    read: (key, offset, length, options) => memory.read(key, offset, length, options),
  };
  return { store, puts };
}

const failing = (error: unknown): ClaimStore => ({
  put: () => Promise.reject(error),
  read: () => Promise.reject(error),
});

describe("checkIn", () => {
  test("stores a pack of one claim under a fresh id", async () => {
    const { store, puts } = spiedStore();
    const claims = createClaimCheck({ store });
    const before = Date.now();
    const first = await claims.checkIn("acme", { id: "evt_1", body: BIG, content_type: "text/plain", received_at: 5 });
    const second = await claims.checkIn("acme", { id: "evt_1", body: BIG, content_type: "text/plain", received_at: 5 });
    const after = Date.now();

    const { version, tenant_id, claim_id } = parseClaimRef(first.ref);
    const parts = claimIdParts(claim_id, tenant_id);
    expect({ version, tenant_id, position: parts.position, pack: parts.pack_id }).toEqual({
      version: 1,
      tenant_id: "acme",
      position: 0,
      pack: claim_id,
    });
    expect(parts.timestamp_ms).toBeGreaterThanOrEqual(before);
    expect(parts.timestamp_ms).toBeLessThanOrEqual(after);
    expect(first.sha256).toBe(sha256(BIG));
    expect(second.ref.slice(0, -4)).not.toBe(first.ref.slice(0, -4));
    expect(puts.map(({ key }) => key)).toEqual([
      parts.object_key,
      claimIdParts(parseClaimRef(second.ref).claim_id, "acme").object_key,
    ]);
    const pack = puts[0]?.bytes as Uint8Array;
    expect(Buffer.from(await readClaim(pack, 0)).equals(BIG)).toBe(true);
    expect(Buffer.from(pack).toString("latin1")).toContain(
      `"sha256":"${sha256(BIG)}","content_type":"text/plain","received_at":5}`,
    );
  });

  test("takes an empty body, and a body of exactly maxBytes", async () => {
    const claims = createClaimCheck({ store: memoryStore(), maxBytes: 3 });
    expect((await claims.checkIn("acme", { id: "a", body: bytesOf("") })).sha256).toBe(sha256(bytesOf("")));
    expect((await claims.checkIn("acme", { id: "a", body: bytesOf("abc") })).sha256).toBe(sha256(bytesOf("abc")));
  });

  test.each<[field: string, tenant: unknown, item: unknown]>([
    ["tenant_id", null, { id: "", body: null }],
    ["tenant_id", undefined, { id: "a", body: BIG }],
    ["tenant_id", "", { id: "a", body: BIG }],
    ["tenant_id", "..", { id: "a", body: BIG }],
    ["tenant_id", "a/b", { id: "a", body: BIG }],
    ["tenant_id", "acme\n", { id: "a", body: BIG }],
    ["tenant_id", "a".repeat(65), { id: "a", body: BIG }],
    ["id", "acme", null],
    ["id", "acme", { id: "", body: BIG }],
    ["content_type", "acme", { id: "a", body: BIG, content_type: 1 }],
    ["received_at", "acme", { id: "a", body: BIG, received_at: 0.5 }],
    ["body_base64", "acme", { id: "a" }],
  ])("refuses %s before it stores %#", async (field, tenant, item) => {
    const { store, puts } = spiedStore();
    const error = await failureOf(createClaimCheck({ store }).checkIn(tenant as string, item as never));
    expect(error).toMatchObject({ code: "invalid_hook", field, retryable: false });
    expect(puts).toEqual([]);
  });

  test("refuses a body over maxBytes before it stores", async () => {
    const { store, puts } = spiedStore();
    const error = await failureOf(createClaimCheck({ store, maxBytes: 69_999 }).checkIn("acme", HOOK));
    expect(error).toMatchObject({ code: "message_too_large", size: 70_000, limit: 69_999, retryable: false });
    expect(puts).toEqual([]);
  });

  test("has a limit of 8,000,000 bytes", async () => {
    const claims = createClaimCheck({ store: memoryStore() });
    const error = await failureOf(claims.checkIn("acme", { id: "a", body: new Uint8Array(8_000_001) }));
    expect(error).toMatchObject({ code: "message_too_large", limit: 8_000_000 });
    await expect(claims.checkIn("acme", { id: "a", body: new Uint8Array(8_000_000) })).resolves.toBeDefined();
  });

  test("a store that fails is unavailable, with the cause", async () => {
    const cause = new Error("disk on fire");
    const error = await failureOf(createClaimCheck({ store: failing(cause) }).checkIn("acme", HOOK));
    expect(error).toMatchObject({ code: "claim_check_unavailable", retryable: true, cause });
  });

  test("an abort comes out with the caller's reason, before and during the store's work", async () => {
    const { store, puts } = spiedStore();
    const reason = new Error("stop");
    const aborted = AbortSignal.abort(reason);
    expect(await failureOf(createClaimCheck({ store }).checkIn("acme", HOOK, { signal: aborted }))).toBe(reason);
    expect(puts).toEqual([]);

    const controller = new AbortController();
    const hanging: ClaimStore = {
      ...store,
      put: async () => {
        controller.abort(reason);
        throw new Error("aborted");
      },
    };
    const { signal } = controller;
    expect(await failureOf(createClaimCheck({ store: hanging }).checkIn("acme", HOOK, { signal }))).toBe(reason);
  });

  test.each([-1, 1.5, "1", Number.NaN])("refuses maxBytes %j", (maxBytes) => {
    const options = { store: memoryStore(), maxBytes } as ClaimCheckOptions;
    expect(() => createClaimCheck(options)).toThrow(
      expect.objectContaining({ code: "invalid_hook", field: "max_bytes" }),
    );
  });
});

describe("encode", () => {
  test("a small body rides inline and is not stored", async () => {
    const { store, puts } = spiedStore();
    const encoded = await createClaimCheck({ store }).encode({ ...HOOK, tenant_id: null, body: bytesOf("{}") });
    expect(encoded).toMatchObject({ form: "inline", claim: null });
    expect(puts).toEqual([]);
  });

  test("a large body is stored once, and the message carries the claim", async () => {
    const { store, puts } = spiedStore();
    const encoded = await createClaimCheck({ store }).encode(HOOK, { region: "eu" });
    const message = decodeMessage(encoded.bytes);
    expect(message).toMatchObject({
      body: { form: "claim", ref: encoded.claim?.ref },
      sha256: sha256(BIG),
      size: 70_000,
    });
    expect(message.region).toBe("eu");
    expect(encoded.form).toBe("claim");
    expect(puts.length).toBe(1);
  });

  test("a message that is too large inline degrades to a claim", async () => {
    const { store, puts } = spiedStore();
    const body = new Uint8Array(900);
    const encoded = await createClaimCheck({ store }).encode({ ...HOOK, body }, {}, { maxBytes: 1000 });
    expect(encoded.form).toBe("claim");
    expect(puts.length).toBe(1);
  });

  test("a claim that is handed in is used, and nothing is stored", async () => {
    const { store, puts } = spiedStore();
    const claims = createClaimCheck({ store });
    const first = await claims.encode(HOOK);
    const again = await claims.encode(HOOK, null, { claim: first.claim });
    expect(Buffer.from(again.bytes).equals(first.bytes)).toBe(true);
    expect(again.claim).toEqual(first.claim);
    expect(puts.length).toBe(1);
  });

  test.each<[name: string, code: string, hook: unknown, context: unknown, options: unknown]>([
    [
      "a body over the limit that should ride inline",
      "message_too_large",
      HOOK,
      {},
      { inlineMaxBytes: 1e6, maxBytes: 100 },
    ],
    ["a claim message over the limit", "message_too_large", HOOK, {}, { maxBytes: 100 }],
    ["an overhead over the limit", "message_too_large", HOOK, {}, { overhead: () => 1e9 }],
    ["a body over the check-in's limit", "message_too_large", { ...HOOK, body: new Uint8Array(80_000) }, {}, {}],
    ["a hook without an id", "invalid_hook", { ...HOOK, id: "" }, {}, {}],
    ["a tenant that is null", "invalid_hook", { ...HOOK, tenant_id: null }, {}, {}],
    ["a tenant that no claim can carry", "invalid_hook", { ...HOOK, tenant_id: "a.b" }, {}, {}],
    ["a context that cannot be used", "invalid_hook", HOOK, { region: 1 }, {}],
    ["an option that cannot be used", "invalid_hook", HOOK, {}, { inlineMaxBytes: -1 }],
    [
      "a claim of another body",
      "claim_integrity",
      HOOK,
      {},
      { claim: { ref: `urn:ankusa:claim:v1:acme:${"0".repeat(26)}`, sha256: "0".repeat(64) } },
    ],
  ])("%s leaves nothing behind", async (_name, code, hook, context, options) => {
    const { store, puts } = spiedStore();
    const claims = createClaimCheck({ store, maxBytes: 75_000 });
    const error = await failureOf(claims.encode(hook as Hook, context as never, options as never));
    expect(error).toMatchObject({ code, retryable: false });
    expect(puts).toEqual([]);
  });
});
