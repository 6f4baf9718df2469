import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type ClaimCheckOptions,
  type ClaimStore,
  createClaimCheck,
  createGateway,
  type GatewayOptions,
  memoryStore,
} from "../src/index.js";
import { fileStore } from "../src/node/index.js";
import { bytesOf, CLAIM_ID, failureOf } from "./support.js";

const KEY = `claims/tenant=acme/dt=2026-09-24/${CLAIM_ID}`;

describe.each(["memoryStore", "fileStore"])("%s", (name) => {
  let root: string;
  let store: ClaimStore;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "sinkwire-arguments-"));
    store = name === "memoryStore" ? memoryStore() : fileStore(root);
    await store.put(KEY, bytesOf("0123456789"));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  test.each<[field: string, args: readonly unknown[]]>([
    ["key", ["../x", 0, 1]],
    ["key", [null, 0, 1]],
    ["key", [[KEY], 0, 1]],
    ["key", [`${KEY}0`, 0, 1]],
    ["offset", [KEY, -1, 10]],
    ["offset", [KEY, 0.5, 10]],
    ["offset", [KEY, undefined, 10]],
    ["offset", [KEY, "0", 10]],
    ["length", [KEY, 0, 0]],
    ["length", [KEY, 0, -1]],
    ["length", [KEY, 0, Number.NaN]],
    ["length", [KEY, 0, null]],
  ])("read refuses a wrong %s %#", async (field, [key, offset, length]) => {
    const error = await failureOf(store.read(key as string, offset as number, length as number));
    expect(error).toMatchObject({ code: "invalid_hook", field, retryable: false });
  });

  test.each<[field: string, key: unknown, bytes: unknown]>([
    ["key", "../x", bytesOf("x")],
    ["key", undefined, bytesOf("x")],
    ["bytes", KEY, "text"],
    ["bytes", KEY, null],
    ["bytes", KEY, new Uint16Array(2)],
    ["bytes", KEY, 3],
  ])("put refuses a wrong %s %#", async (field, key, bytes) => {
    const before = await readdir(root, { recursive: true });
    const error = await failureOf(store.put(key as string, bytes as Uint8Array));
    expect(error).toMatchObject({ code: "invalid_hook", field, retryable: false });
    expect(await readdir(root, { recursive: true })).toEqual(before);
    expect(Buffer.from((await store.read(KEY, 0, 20)) ?? []).toString()).toBe("0123456789");
  });
});

describe("the store option", () => {
  const { put, read } = memoryStore();
  test.each([
    undefined,
    null,
    {},
    { store: null },
    { store: "str" },
    { store: { put } },
    { store: { put, read, check: 1 } },
  ])("refuses %j", (options) => {
    const expected = expect.objectContaining({ code: "invalid_hook", field: "store", retryable: false });
    expect(() => createClaimCheck(options as unknown as ClaimCheckOptions)).toThrow(expected);
    expect(() => createGateway(options as unknown as GatewayOptions)).toThrow(expected);
  });

  test.each(["str", true, {}])("the gateway refuses to be authorized by %j", (authorize) => {
    const options = { store: memoryStore(), authorize } as unknown as GatewayOptions;
    expect(() => createGateway(options)).toThrow(
      expect.objectContaining({ code: "invalid_hook", field: "authorize", retryable: false }),
    );
  });
});
