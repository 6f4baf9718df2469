import { expect, test } from "vitest";
import type { ClaimStore } from "../src/index.js";
import { bytesOf, failureOf } from "./support.js";

const PACK_ID = "01M39VMD8RA3C5HR4RBV67Y000";
let packs = 0;

/** A key that no test has used. */
export function newKey(tenant = "acme"): string {
  const digits = (++packs).toString(8).padStart(6, "0");
  return `claims/tenant=${tenant}/dt=2026-09-24/${PACK_ID.slice(0, -9)}${digits}000`;
}

/** Bytes as text, so that a failure can be read; null stays null. */
export const textOf = (bytes: Uint8Array | null): string | null =>
  bytes === null ? null : Buffer.from(bytes).toString("latin1");

/** The tests that every store passes. Call it in a `describe`; `store` is asked for in each test. */
export function storeSuite(store: () => ClaimStore): void {
  test("keeps an object, and reads parts of it", async () => {
    const key = newKey();
    await store().put(key, bytesOf("0123456789"));
    expect(textOf(await store().read(key, 0, 4))).toBe("0123");
    expect(textOf(await store().read(key, 3, 1))).toBe("3");
    expect(textOf(await store().read(key, 4, 100))).toBe("456789");
    expect(textOf(await store().read(key, 0, Number.MAX_SAFE_INTEGER))).toBe("0123456789");
    expect(textOf(await store().read(key, 10, 1))).toBe("");
    expect(textOf(await store().read(key, 4_000_000_000, 4_000_000_000))).toBe("");
  });

  test("keeps every byte", async () => {
    const key = newKey();
    const bytes = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 31) ^ (i >> 8));
    const given = new Uint8Array(bytes);
    await store().put(key, given);
    given.fill(0);
    expect(Buffer.from((await store().read(key, 0, 400_000)) ?? []).equals(bytes)).toBe(true);
    const part = await store().read(key, 123_456, 78_901);
    expect(Buffer.from(part ?? []).equals(bytes.subarray(123_456, 123_456 + 78_901))).toBe(true);
  });

  test("keeps an object of no bytes", async () => {
    const key = newKey();
    await store().put(key, new Uint8Array());
    expect(textOf(await store().read(key, 0, 10))).toBe("");
  });

  test("gives memory that is the caller's", async () => {
    const key = newKey();
    await store().put(key, bytesOf("0123"));
    (await store().read(key, 0, 4))?.fill(0);
    expect(textOf(await store().read(key, 0, 4))).toBe("0123");
  });

  test("has no object where none was put", async () => {
    const key = newKey();
    await store().put(key, bytesOf("x"));
    expect(await store().read(newKey(), 0, 1)).toBeNull();
    expect(await store().read(key.replace("acme", "acmf"), 0, 1)).toBeNull();
    expect(await store().read(key.replace("2026", "2027"), 0, 1)).toBeNull();
  });

  test("a put of the same bytes again succeeds, also at once", async () => {
    const key = newKey();
    await store().put(key, bytesOf("again"));
    await store().put(key, bytesOf("again"));
    await Promise.all([store().put(key, bytesOf("again")), store().put(key, bytesOf("again"))]);
    expect(textOf(await store().read(key, 0, 10))).toBe("again");
  });

  test("takes many at once", async () => {
    const keys = Array.from({ length: 20 }, () => newKey());
    await Promise.all(keys.map((key) => store().put(key, bytesOf(key))));
    for (const key of keys) expect(textOf(await store().read(key, 0, 200))).toBe(key);
  });

  test("an abort comes out with the caller's reason, and nothing is kept", async () => {
    const key = newKey();
    const reason = new Error("stop");
    const signal = AbortSignal.abort(reason);
    expect(await failureOf(store().put(key, bytesOf("x"), { signal }))).toBe(reason);
    await store().put(newKey(), bytesOf("x"));
    expect(await store().read(key, 0, 1)).toBeNull();
    expect(await failureOf(store().read(key, 0, 1, { signal }))).toBe(reason);
    const fresh = new AbortController();
    await store().put(key, bytesOf("x"), { signal: fresh.signal });
    expect(textOf(await store().read(key, 0, 1, { signal: fresh.signal }))).toBe("x");
  });

  test("says that it can be read", async () => {
    await store().put(newKey(), bytesOf("x"));
    expect(await store().check?.()).toBeUndefined();
  });

  test.each<[field: string, args: readonly unknown[]]>([
    ["key", ["../x", 0, 1]],
    ["key", [null, 0, 1]],
    ["key", [[newKey()], 0, 1]],
    ["key", [`${newKey()}0`, 0, 1]],
    ["key", [`${newKey()}\n`, 0, 1]],
    ["key", [newKey("a/b"), 0, 1]],
    ["offset", [newKey(), -1, 10]],
    ["offset", [newKey(), 0.5, 10]],
    ["offset", [newKey(), undefined, 10]],
    ["offset", [newKey(), "0", 10]],
    ["length", [newKey(), 0, 0]],
    ["length", [newKey(), 0, -1]],
    ["length", [newKey(), 0, Number.NaN]],
    ["length", [newKey(), 0, null]],
  ])("read refuses a wrong %s %#", async (field, [key, offset, length]) => {
    const error = await failureOf(store().read(key as string, offset as number, length as number));
    expect(error).toMatchObject({ code: "invalid_hook", field, retryable: false });
  });

  test.each<[field: string, key: unknown, bytes: unknown]>([
    ["key", "../x", bytesOf("x")],
    ["key", undefined, bytesOf("x")],
    ["bytes", newKey(), "text"],
    ["bytes", newKey(), null],
    ["bytes", newKey(), new Uint16Array(2)],
    ["bytes", newKey(), 3],
  ])("put refuses a wrong %s %#", async (field, key, bytes) => {
    const error = await failureOf(store().put(key as string, bytes as Uint8Array));
    expect(error).toMatchObject({ code: "invalid_hook", field, retryable: false });
    if (field === "bytes") {
      await store().put(newKey(), bytesOf("x"));
      expect(await store().read(key as string, 0, 1)).toBeNull();
    }
  });
}
