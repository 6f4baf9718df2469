import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ClaimStore, createRedeemClient } from "../src/index.js";
import { fileStore } from "../src/node/index.js";
import { storeSuite, textOf as text } from "./store-suite.js";
import { bytesOf, CLAIM_ID, failureOf, gatewayServer, sha256 } from "./support.js";

const KEY = `claims/tenant=acme/dt=2026-09-24/${CLAIM_ID}`;
let base: string;
let root: string;
let store: ClaimStore;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "sinkwire-store-"));
  root = join(base, "store");
  store = fileStore(root);
});
afterEach(() => rm(base, { recursive: true, force: true }));

describe("fileStore", () => {
  storeSuite(() => store);

  test("puts an object where its key says", async () => {
    await store.put(KEY, bytesOf("0123456789"));
    expect(await readFile(join(root, KEY), "utf8")).toBe("0123456789");
  });

  test("a missing folder is unavailable, and its claims are not gone", async () => {
    const expected = { code: "claim_check_unavailable", reason: "unavailable", retryable: true };
    expect(await failureOf(store.read(KEY, 0, 1))).toMatchObject(expected);
    expect(await failureOf(Promise.resolve(store.check?.()))).toMatchObject(expected);
    expect(await readdir(base)).toEqual([]);
    await store.put(KEY, bytesOf("x"));
    expect(await store.check?.()).toBeUndefined();
    await rm(root, { recursive: true });
    expect(await failureOf(store.read(KEY, 0, 1))).toMatchObject(expected);
    await writeFile(root, "a file");
    expect(await failureOf(store.read(KEY, 0, 1))).toMatchObject(expected);
    expect(await failureOf(Promise.resolve(store.check?.()))).toMatchObject(expected);
  });

  test("a gateway over a missing folder drops no hook: 503, also for its health", async () => {
    const gateway = await gatewayServer({ store });
    const health = async () => (await fetch(`${gateway.url}/health`)).status;
    const claim = { ref: `urn:ankusa:claim:v1:acme:${CLAIM_ID}`, sha256: sha256(bytesOf("x")) };
    const client = createRedeemClient({ baseUrl: gateway.url });
    expect(await failureOf(client.redeem(claim))).toMatchObject({ code: "claim_check_unavailable", retryable: true });
    expect(await health()).toBe(503);
    await mkdir(root);
    expect(await failureOf(client.redeem(claim))).toMatchObject({ code: "claim_not_found" });
    expect(await health()).toBe(200);
    await gateway.close();
  });

  test.each([undefined, null, "", 5, "a\0b"])("refuses the folder %j", (folder) => {
    expect(() => fileStore(folder as string)).toThrow(
      expect.objectContaining({ code: "invalid_hook", field: "folder", retryable: false }),
    );
  });

  test("leaves no temporary file, and nothing that others may read", async () => {
    await store.put(KEY, bytesOf("x"));
    const folder = dirname(join(root, KEY));
    expect(await readdir(folder)).toEqual([CLAIM_ID]);
    expect((await stat(join(root, KEY))).mode & 0o077).toBe(0);
    expect((await stat(folder)).mode & 0o077).toBe(0);
    expect((await stat(root)).mode & 0o077).toBe(0);
  });

  test.each([
    "",
    "x",
    "../x",
    `/etc/${CLAIM_ID}`,
    `claims/tenant=../dt=2026-09-24/${CLAIM_ID}`,
    `claims/tenant=a/../../../dt=2026-09-24/${CLAIM_ID}`,
    `claims/tenant=acme/dt=../${CLAIM_ID}`,
    "claims/tenant=acme/dt=2026-09-24/../../../../outside",
    "claims/tenant=acme/dt=2026-09-24/..",
    `claims/tenant=acme/dt=2026-09-24/${CLAIM_ID}\0`,
    `claims/tenant=acme/dt=2026-09-24/${CLAIM_ID}\n`,
    `claims\\tenant=acme\\dt=2026-09-24\\${CLAIM_ID}`,
    `other/tenant=acme/dt=2026-09-24/${CLAIM_ID}`,
  ])("touches nothing for the key %j", async (key) => {
    const expected = { code: "invalid_hook", field: "key", retryable: false };
    expect(await failureOf(store.put(key, bytesOf("x")))).toMatchObject(expected);
    expect(await failureOf(store.read(key, 0, 1))).toMatchObject(expected);
    const left = await readdir(base, { recursive: true });
    expect(left.filter((path) => path !== "store")).toEqual([]);
  });

  test.each(["claims", "claims/tenant=acme", "claims/tenant=acme/dt=2026-09-24"])(
    "does not follow a link in place of %s",
    async (folder) => {
      const outside = join(base, "outside");
      await mkdir(join(outside, KEY.slice(folder.length + 1), ".."), { recursive: true });
      await writeFile(join(outside, KEY.slice(folder.length + 1)), "secret");
      await mkdir(dirname(join(root, folder)), { recursive: true });
      await symlink(outside, join(root, folder));
      const before = await readdir(outside, { recursive: true });
      const expected = { code: "claim_check_unavailable", reason: "unavailable" };
      expect(await failureOf(store.read(KEY, 0, 6))).toMatchObject(expected);
      expect(await failureOf(store.put(KEY.replace("Y000", "Y100"), bytesOf("x")))).toMatchObject(expected);
      expect(await readdir(outside, { recursive: true })).toEqual(before);
    },
  );

  test("does not follow a link in place of a file, and does not write through it", async () => {
    await writeFile(join(base, "secret"), "secret");
    await mkdir(dirname(join(root, KEY)), { recursive: true });
    await symlink(join(base, "secret"), join(root, KEY));
    expect(await failureOf(store.read(KEY, 0, 6))).toMatchObject({ code: "claim_check_unavailable" });
    await store.put(KEY, bytesOf("mine"));
    expect(text(await store.read(KEY, 0, 6))).toBe("mine");
    expect(await readFile(join(base, "secret"), "utf8")).toBe("secret");
  });

  test("a folder in place of a file is unavailable", async () => {
    await mkdir(join(root, KEY), { recursive: true });
    expect(await failureOf(store.read(KEY, 0, 1))).toMatchObject({ code: "claim_check_unavailable" });
    expect(await failureOf(store.put(KEY, bytesOf("x")))).toMatchObject({ code: "claim_check_unavailable" });
    expect(await readdir(dirname(join(root, KEY)))).toEqual([CLAIM_ID]);
  });

  test("the store's own folder may be a link", async () => {
    await mkdir(join(base, "real"));
    await symlink(join(base, "real"), join(base, "link"));
    const linked = fileStore(join(base, "link"));
    await linked.put(KEY, bytesOf("x"));
    expect(text(await linked.read(KEY, 0, 1))).toBe("x");
  });

  test("an abort while it writes comes out with the caller's reason and leaves nothing", async () => {
    const reason = new Error("stop");
    const controller = new AbortController();
    const putting = store.put(KEY, new Uint8Array(4_000_000), { signal: controller.signal });
    controller.abort(reason);
    expect(await failureOf(putting)).toBe(reason);
    expect(await readdir(dirname(join(root, KEY))).catch(() => [])).toEqual([]);
  });

  test("a folder that this user may not write to is forbidden", async () => {
    await mkdir(root);
    await chmod(root, 0o500);
    const superuser = process.getuid?.() === 0;
    if (superuser) process.seteuid?.(65_534);
    const error = await failureOf(store.put(KEY, bytesOf("x"))).finally(() => superuser && process.seteuid?.(0));
    expect(error).toMatchObject({ code: "claim_check_unavailable", reason: "forbidden", retryable: true });
    expect((error as Error).cause).toMatchObject({ code: "EACCES" });
  });
});
