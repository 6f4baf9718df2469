import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { ClaimError, parseClaimRef } from "@sinkwire/message";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type ClaimStore,
  ClaimUnavailableError,
  claimIdParts,
  createClaimCheck,
  createGateway,
  createRedeemClient,
  memoryStore,
  writePack,
} from "../src/index.js";
import {
  bytesOf,
  CLAIM_ID,
  claimIdAt,
  failureOf,
  gatewayServer,
  handlerServer,
  sha256,
  type TestServer,
} from "./support.js";

const BODY = bytesOf("0123456789");
const IMMUTABLE = "private, max-age=31536000, immutable";

const store = memoryStore();
let server: TestServer;
let path: string;
let emptyPath: string;
beforeAll(async () => {
  const claims = createClaimCheck({ store });
  path = parseClaimRef((await claims.checkIn("acme", { id: "a", body: BODY })).ref).path;
  emptyPath = parseClaimRef((await claims.checkIn("acme", { id: "a", body: new Uint8Array() })).ref).path;
  server = await gatewayServer({ store });
});
afterAll(() => server.close());

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** Not `fetch`, which rewrites paths and refuses methods: the path and method go over the wire as they are. */
function ask(target: string, { method = "GET", headers = {} as Record<string, string>, url = server.url } = {}) {
  return new Promise<Answer>((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const request = httpRequest({ hostname, port, path: target, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const pairs = Object.entries(response.headers).map(
          ([name, value]) => [name, String(value)] as [string, string],
        );
        const body = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: new Headers(pairs), body });
      });
    });
    request.on("error", reject);
    request.end();
  });
}

describe("a claim", () => {
  test("GET gives all of it", async () => {
    const { status, headers, body } = await ask(path);
    expect({ status, body }).toEqual({ status: 200, body: "0123456789" });
    expect(headers.get("content-type")).toBe("application/octet-stream");
    expect(headers.get("cache-control")).toBe(IMMUTABLE);
    expect(headers.get("accept-ranges")).toBe("bytes");
    expect(headers.get("content-length")).toBe("10");
    expect(headers.has("content-encoding")).toBe(false);
  });

  test("HEAD gives the same headers, without the body and without a range", async () => {
    const { headers: got } = await ask(path);
    const { status, headers, body } = await ask(path, { method: "HEAD", headers: { range: "bytes=1-2" } });
    expect({ status, body }).toEqual({ status: 200, body: "" });
    for (const name of ["content-type", "cache-control", "accept-ranges", "content-length"]) {
      expect(headers.get(name)).toBe(got.get(name));
    }
  });

  test("an empty body", async () => {
    const { status, headers, body } = await ask(emptyPath);
    expect({ status, body, length: headers.get("content-length") }).toEqual({ status: 200, body: "", length: "0" });
  });

  test.each([
    ["bytes=0-0", "0", "0-0"],
    ["bytes=2-4", "234", "2-4"],
    ["bytes=7-", "789", "7-9"],
    ["bytes=-3", "789", "7-9"],
    ["bytes=-100", "0123456789", "0-9"],
    ["bytes=0-9", "0123456789", "0-9"],
    ["bytes=5-99999999999999999999999", "56789", "5-9"],
    ["Bytes=9-9", "9", "9-9"],
  ])("range %s is 206", async (range, body, part) => {
    const answer = await ask(path, { headers: { range } });
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 206, body });
    expect(answer.headers.get("content-range")).toBe(`bytes ${part}/10`);
    expect(answer.headers.get("content-length")).toBe(String(body.length));
    expect(answer.headers.get("cache-control")).toBe(IMMUTABLE);
  });

  test.each(["bytes=10-", "bytes=10-20", "bytes=-0", "bytes=99999999999999999999-"])(
    "range %s is 416",
    async (range) => {
      const { status, headers, body } = await ask(path, { headers: { range } });
      expect({ status, body: JSON.parse(body) }).toEqual({ status: 416, body: { error: "range_not_satisfiable" } });
      expect(headers.get("content-range")).toBe("bytes */10");
    },
  );

  test.each([
    "bytes=-",
    "bytes=4-2",
    "bytes=0-1,3-4",
    "lines=0-1",
    "bytes 0-1",
    "bytes=a-b",
    "bytes=0x1-2",
    "bytes=--1",
  ])("range %s is ignored", async (range) => {
    const { status, body } = await ask(path, { headers: { range } });
    expect({ status, body }).toEqual({ status: 200, body: "0123456789" });
  });

  test("an empty body has no range", async () => {
    expect((await ask(emptyPath, { headers: { range: "bytes=0-" } })).headers.get("content-range")).toBe("bytes */0");
  });

  test("a conditional range gives all", async () => {
    const headers = { range: "bytes=0-0", "if-range": '"etag"' };
    expect(await ask(path, { headers })).toMatchObject({ status: 200, body: "0123456789" });
  });

  test("claims of one pack, by position", async () => {
    const pack = await writePack(
      ["zero", "one", "two"].map((text, i) => ({
        claim_id: claimIdAt(i),
        id: "x",
        received_at: 0,
        body: bytesOf(text),
      })),
    );
    await store.put(claimIdParts(CLAIM_ID, "acme").object_key, pack);
    expect(await ask(`/v1/claims/acme/${claimIdAt(0)}`)).toMatchObject({ status: 200, body: "zero" });
    expect(await ask(`/v1/claims/acme/${claimIdAt(2)}`)).toMatchObject({ status: 200, body: "two" });
    expect(await ask(`/v1/claims/acme/${claimIdAt(3)}`)).toMatchObject({ status: 404, body: '{"error":"not_found"}' });
  });
});

describe("what is refused", () => {
  const counted: ClaimStore = {
    put: () => Promise.reject(new Error("a gateway never writes")),
    read: () => Promise.reject(new Error("this request must not reach the store")),
  };
  let strict: TestServer;
  beforeAll(async () => {
    strict = await gatewayServer({ store: counted });
  });
  afterAll(() => strict.close());

  const id = CLAIM_ID;
  test.each<[target: string, status: number, code: string]>([
    [`/v1/claims//${id}`, 400, "invalid_tenant"],
    [`/v1/claims/a.b/${id}`, 400, "invalid_tenant"],
    [`/v1/claims/%61cme/${id}`, 400, "invalid_tenant"],
    [`/v1/claims/..%2f..%2fetc/${id}`, 400, "invalid_tenant"],
    [`/v1/claims/%00/${id}`, 400, "invalid_tenant"],
    [`/v1/claims/acme%0a/${id}`, 400, "invalid_tenant"],
    [`/v1/claims/${"a".repeat(65)}/${id}`, 400, "invalid_tenant"],
    ["/v1/claims/a.b/x", 400, "invalid_tenant"],
    ["/v1/claims/acme/", 400, "invalid_id"],
    ["/v1/claims/acme/x", 400, "invalid_id"],
    ["/v1/claims/acme/..%2f..%2f..%2fetc%2fpasswd", 400, "invalid_id"],
    [`/v1/claims/acme/${id.toLowerCase()}`, 400, "invalid_id"],
    [`/v1/claims/acme/${id}%0a`, 400, "invalid_id"],
    [`/v1/claims/acme/8${id.slice(1)}`, 400, "invalid_id"],
    ["/v1/claims/acme/x?exp=1&sig=x", 400, "invalid_id"],
    [`/v1/claims/acme/${id}?exp=1790000000&sig=${"s".repeat(43)}`, 400, "bad_signature"],
    [`/v1/claims/acme/${id}?sig=`, 400, "bad_signature"],
    [`/v1/claims/acme/${id}?x=1&exp=1`, 400, "bad_signature"],
    [`/v1/claims/acme/${id}?%73ig=x`, 400, "bad_signature"],
    [`/v1/claims/acme/../../../etc/passwd`, 404, "not_found"],
    [`/v1/claims/%2e%2e/%2e%2e/etc/passwd`, 404, "not_found"],
    [`/v1/claims/acme\\..\\..\\x/${id}`, 404, "not_found"],
    [`/v1/claims/acme/${id}/`, 404, "not_found"],
    [`/v1/claims/acme/${id}/more`, 404, "not_found"],
    [`/V1/claims/acme/${id}`, 404, "not_found"],
    [`/v1%2fclaims/acme/${id}`, 404, "not_found"],
    [`//evil.test/${id}`, 404, "not_found"],
    ["/", 404, "not_found"],
    ["/health/", 404, "not_found"],
  ])("%s", async (target, status, code) => {
    const answer = await ask(target, { url: strict.url });
    expect({ status: answer.status, body: answer.body }).toEqual({ status, body: `{"error":"${code}"}` });
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  test.each(["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])("%s is 405", async (method) => {
    for (const target of [`/v1/claims/acme/${id}`, "/health"]) {
      const answer = await ask(target, { method, url: strict.url });
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 405,
        body: '{"error":"method_not_allowed"}',
      });
      expect(answer.headers.get("allow")).toBe("GET, HEAD");
    }
  });

  test.each(["GET http://[ HTTP/1.1", "GET http:// HTTP/1.1", "OPTIONS * HTTP/1.1"])(
    "the target of %s is 400",
    async (line) => {
      const socket = connect(strict.port, "127.0.0.1");
      socket.write(`${line}\r\nhost: x\r\nconnection: close\r\n\r\n`);
      let text = "";
      for await (const data of socket) text += data;
      expect(text).toMatch(/^HTTP\/1\.1 400 /);
    },
  );

  test("an absolute target is its path", async () => {
    expect(await ask(`http://evil.test${path}`)).toMatchObject({ status: 200, body: "0123456789" });
  });

  test("HEAD has the status and no body", async () => {
    expect(await ask("/v1/claims/a.b/x", { method: "HEAD", url: strict.url })).toMatchObject({ status: 400, body: "" });
  });

  test("health does not read from the store", async () => {
    expect(await ask("/health", { url: strict.url })).toMatchObject({ status: 200, body: '{"status":"ok"}' });
    expect(await ask("/health", { method: "HEAD", url: strict.url })).toMatchObject({ status: 200, body: "" });
  });
});

describe("authorize", () => {
  test("decides by request and tenant, before the store is asked", async () => {
    const gateway = createGateway({
      store,
      authorize: async (request, tenant) => request.headers.get("authorization") === `for ${tenant}`,
    });
    const get = (authorization: string) => gateway(new Request(`http://x${path}`, { headers: { authorization } }));
    expect((await get("for acme")).status).toBe(200);
    const refused = await get("for other");
    expect([refused.status, await refused.text()]).toEqual([403, '{"error":"forbidden"}']);
  });

  test.each([undefined, null, 1, "true", {}])("%j does not let in", async (answer) => {
    const gateway = createGateway({ store, authorize: () => answer as unknown as boolean });
    expect((await gateway(new Request(`http://x${path}`))).status).toBe(403);
  });

  test("a throw lets nobody in and is not told", async () => {
    const gateway = createGateway({
      store,
      authorize: () => {
        throw new Error("secret");
      },
    });
    const answer = await gateway(new Request(`http://x${path}`));
    expect([answer.status, await answer.text()]).toEqual([503, '{"error":"store_unavailable"}']);
  });

  test("is not asked for what is no claim", async () => {
    const gateway = createGateway({ store, authorize: () => false });
    expect((await gateway(new Request("http://x/health"))).status).toBe(200);
    expect((await gateway(new Request("http://x/v1/claims/a.b/x"))).status).toBe(400);
  });
});

describe("a store in trouble", () => {
  test.each<[name: string, error: unknown, code: string, retryAfter: string]>([
    ["an error of its own", new Error("secret path"), "store_unavailable", "1"],
    ["no error at all", undefined, "store_unavailable", "1"],
    ["unavailable", new ClaimUnavailableError("secret"), "store_unavailable", "1"],
    ["forbidden", new ClaimUnavailableError("secret", { reason: "forbidden" }), "store_forbidden", "60"],
  ])("%s is 503", async (_name, error, code, retryAfter) => {
    const broken: ClaimStore = { put: () => Promise.reject(error), read: () => Promise.reject(error) };
    const own = await gatewayServer({ store: broken });
    const { status, headers, body } = await ask(path, { url: own.url });
    expect({ status, body, retryAfter: headers.get("retry-after") }).toEqual({
      status: 503,
      body: `{"error":"${code}"}`,
      retryAfter,
    });
    const client = createRedeemClient({ baseUrl: own.url });
    const failure = await failureOf(
      client.redeem({ ref: `urn:ankusa:claim:v1:acme:${CLAIM_ID}`, sha256: sha256(BODY) }),
    );
    expect(failure).toMatchObject({ code: "claim_check_unavailable", retryAfterMs: Number(retryAfter) * 1000 });
    const unhealthy = await gatewayServer({ store: { ...broken, check: () => Promise.reject(error) } });
    const health = await ask("/health", { url: unhealthy.url });
    expect({ status: health.status, body: health.body, retryAfter: health.headers.get("retry-after") }).toEqual({
      status: 503,
      body: `{"error":"${code}"}`,
      retryAfter,
    });
    await own.close();
    await unhealthy.close();
  });

  test("health is 503 while the store's check fails, and 200 again afterwards", async () => {
    let usable = false;
    const check = async () => {
      if (!usable) throw new ClaimError("claim_not_found", "no bucket");
    };
    const gateway = createGateway({ store: { ...memoryStore(), check }, authorize: () => false });
    expect((await gateway(new Request("http://x/health"))).status).toBe(503);
    expect((await gateway(new Request("http://x/health", { method: "HEAD" }))).status).toBe(503);
    usable = true;
    expect((await gateway(new Request("http://x/health"))).status).toBe(200);
  });

  test("a handler that throws is an empty 500", async () => {
    const own = await handlerServer(() => Promise.reject(new Error("secret")));
    expect(await ask("/", { url: own.url })).toMatchObject({ status: 500, body: "" });
    await own.close();
  });

  test("a client that goes away aborts the store's work", async () => {
    let aborted: (reason: unknown) => void = () => {};
    const seen = new Promise((resolve) => {
      aborted = resolve;
    });
    let reached: () => void = () => {};
    const reading = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const slow: ClaimStore = {
      put: async () => {},
      read: (_key, _offset, _length, options) =>
        new Promise((_resolve, reject) => {
          options?.signal?.addEventListener("abort", () => {
            aborted(options.signal?.aborted);
            reject(new Error("aborted"));
          });
          reached();
        }),
    };
    const own = await gatewayServer({ store: slow });
    const socket = connect(own.port, "127.0.0.1");
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    await reading;
    socket.destroy();
    expect(await seen).toBe(true);
    await own.close();
  });
});

describe("a hostile pack behind the gateway", () => {
  const hostile = memoryStore();
  let own: TestServer;
  let good: Uint8Array;
  beforeAll(async () => {
    own = await gatewayServer({ store: hostile });
    good = await writePack([{ claim_id: CLAIM_ID, id: "x", received_at: 0, body: BODY }]);
  });
  afterAll(() => own.close());

  const write = (at: number, value: number) => (pack: Uint8Array) => {
    new DataView(pack.buffer).setUint32(at, value);
    return pack;
  };

  test.each<[name: string, change: (pack: Uint8Array) => Uint8Array, code: string]>([
    ["empty", () => new Uint8Array(), "claim_check_unavailable"],
    ["cut off in the header", (pack) => pack.subarray(0, 20), "claim_check_unavailable"],
    ["cut off in the index", (pack) => pack.subarray(0, 45), "claim_check_unavailable"],
    ["cut off in the body", (pack) => pack.subarray(0, 110), "claim_check_unavailable"],
    ["with a length of 4 GiB", write(43, 0xffffffff), "claim_check_unavailable"],
    ["with an offset of 4 GiB", write(39, 0xffffffff), "claim_check_unavailable"],
    ["with an offset in its index", write(39, 0), "claim_check_unavailable"],
    ["with an empty index", (pack) => write(18, 0)(write(22, 0)(pack)), "claim_not_found"],
    ["of zeroes", (pack) => pack.fill(0), "claim_check_unavailable"],
    ["with another body", write(103, 0), "claim_integrity"],
    ["with a length that is too short", write(43, 9), "claim_integrity"],
    ["with a length that is too long", write(43, 11), "claim_integrity"],
  ])("%s", async (_name, change, code) => {
    const pack = new Uint8Array(good);
    await hostile.put(claimIdParts(CLAIM_ID, "acme").object_key, change(pack));
    const client = createRedeemClient({ baseUrl: own.url });
    const claim = { ref: `urn:ankusa:claim:v1:acme:${CLAIM_ID}`, sha256: sha256(BODY), size: BODY.length };
    expect(await failureOf(client.redeem(claim))).toMatchObject({ code });
  });
});
